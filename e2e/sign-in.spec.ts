import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import type { TestServer } from "./server";

const signIn = async (page: Page, { owner }: TestServer): Promise<void> => {
  await page.getByRole("textbox", { name: "Email" }).fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

test.describe("without a session", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("signing in returns to the chat that was asked for", async ({ page, api, server }) => {
    const { id } = await api.createChat({ content: "Hello there" });
    await page.goto(`/chats/${id}?from=mail`);
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn(page, server);
    await expect(page).toHaveURL(`${server.url}/chats/${id}?from=mail`);
    await expect(page.getByRole("log", { name: "Messages" })).toContainText("Hello there");
    // A person who is signed in already is sent on at once.
    await page.goto(`/login?next=${encodeURIComponent(`/chats/${id}`)}`);
    await expect(page).toHaveURL(`${server.url}/chats/${id}`);
  });

  test("a page of settings is returned to, and the first page has a short link", async ({
    page,
    server,
  }) => {
    await page.goto("/");
    await expect(page).toHaveURL(`${server.url}/login`);
    await page.goto("/settings/account");
    await signIn(page, server);
    await expect(page).toHaveURL(`${server.url}/settings/account`);
  });

  for (const next of [
    "https://example.com/",
    "//example.com",
    "/\\example.com",
    "/.//example.com",
  ]) {
    test(`a link that names ${next} leads to the first page`, async ({ page, server }) => {
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await signIn(page, server);
      await expect(page).toHaveURL(`${server.url}/`);
    });
  }
});

test("a session that ends while a chat is open leads back to the chat", async ({
  browser,
  api,
  server,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: { cookies: [], origins: [] },
  });
  const page = await context.newPage();
  const { id } = await api.createChat({ content: "Still here" });
  await page.goto(`/chats/${id}`);
  await signIn(page, server);
  await expect(page.getByRole("log", { name: "Messages" })).toContainText("Still here");
  await api.waitForStatus(id);
  // Then the page requests nothing by itself: the message that is sent finds out that the session has ended.
  const listed = async () => (await api.request("GET /chats")).body;
  await expect.poll(listed).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ id, unread: false })]),
  });
  await context.clearCookies();
  await page.getByRole("textbox", { name: "Message" }).fill("Anybody?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await signIn(page, server);
  await expect(page).toHaveURL(`${server.url}/chats/${id}`);
  await context.close();
});
