import type { Page } from "@playwright/test";
import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

test.describe("on a new server", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("the first visitor creates the account of the owner and chats", async ({
    page,
    newServer,
  }) => {
    await page.goto(newServer.url);
    await expect(page).toHaveURL(`${newServer.url}/setup`);
    const create = page.getByRole("button", { name: "Create account" });
    await create.click();
    const name = page.getByRole("textbox", { name: "Name" });
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expectAccessibleInThemes(page);
    await name.fill("Ada");
    await page.getByRole("textbox", { name: "Email" }).fill("ada@example.org");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await create.click();
    await expect(page).toHaveURL(`${newServer.url}/`);

    const { answers, chatList, message, userMessages, send } = chatPage(page);
    await message.fill("Hello there");
    await send.click();
    await expect(userMessages).toHaveText(/Hello there/);
    await expect(answers.first()).toContainText("demo model");
    await expect(answers.first()).toContainText("after a restart.");
    await expect(chatList.getByRole("link")).toHaveCount(1);
    await expect(chatList.getByRole("link")).toContainText("Hello there");

    await page.goto(`${newServer.url}/setup`);
    await expect(page).not.toHaveURL(/setup/);

    // The bundle of the page has created the session service; that of the API must recognize its errors.
    const anonymous = await newServer.api.request("GET /chats");
    expect(anonymous).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  });
});

/** Opens a page whose scripts wait until `type` has typed into it. */
const typeBeforeHydration = async (page: Page, path: string, type: () => Promise<void>) => {
  const scripts = Promise.withResolvers<undefined>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await type();
  scripts.resolve(undefined);
};

test("text typed before hydration is kept", async ({ page }) => {
  const { message, send } = chatPage(page);
  await typeBeforeHydration(page, "/", async () => {
    await message.fill("Typed early");
    await expect(send).toBeDisabled();
  });
  await expect(send).toBeEnabled();
  await expect(message).toHaveValue("Typed early");
});

test("a first message that cannot be sent is a draft again, after its page was left", async ({
  page,
}) => {
  const { message, send } = chatPage(page);
  const leaving = Promise.withResolvers<undefined>();
  await page.route(/chats\.create/, async (route) => {
    await leaving.promise;
    await route.abort();
  });
  await page.goto("/");
  await message.fill("Not lost");
  await send.click();
  await expect(message).toHaveValue("");
  await page.getByRole("link", { name: "playground" }).click();
  await expect(page).toHaveTitle("Playground · Parley");
  leaving.resolve(undefined);
  await page.getByRole("link", { name: "New chat" }).click();
  await expect(message).toHaveValue("Not lost");
});

test("chats are searched for text typed before hydration", async ({ page }) => {
  const { chatList } = chatPage(page);
  const search = page.getByRole("textbox", { name: "Search chats" });
  await typeBeforeHydration(page, "/", () => search.fill("no such chat"));
  await expect(chatList).toContainText("Nothing found for “no such chat”");
  await expect(search).toBeFocused();
});

test.describe("without a session", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("credentials filled in before hydration sign in", async ({ page, server }) => {
    const password = page.getByLabel("Password", { exact: true });
    await typeBeforeHydration(page, "/login", async () => {
      await page.getByRole("textbox", { name: "Email" }).fill(server.owner.email);
      await password.fill(server.owner.password);
    });
    const show = page.getByRole("button", { name: "Show password" });
    await waitForHydration(show);
    await show.click();
    await expect(password).toHaveAttribute("type", "text");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
  });

  test("a password sent before hydration is not in the address", async ({ page, server }) => {
    await typeBeforeHydration(page, "/login", async () => {
      const password = page.getByLabel("Password", { exact: true });
      await password.fill(server.owner.password);
      const sent = page.waitForRequest((request) => request.isNavigationRequest());
      await password.press("Enter");
      expect((await sent).url()).toBe(`${server.url}/login`);
    });
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  });
});

test("an anonymous visitor is redirected to the login and can sign in", async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: { cookies: [], origins: [] },
  });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole("textbox", { name: "Email" }).fill(server.owner.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "What shall we work on?" })).toBeVisible();
  await context.close();
});

test("an example on the home page uses a built-in tool", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /Write a file/ }).click();
  const { log, answers } = chatPage(page);
  const card = log.getByRole("button", { name: /Write file/ });
  await expect(card).toContainText("Done");
  await expect(answers.last()).toContainText("The tool has answered");
});
