import type { Browser, Page } from "@playwright/test";
import { createApi } from "./api";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

const SIGNED_OUT = { cookies: [], origins: [] };
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

type Account = { email: string; password: string };

/** Opens the sign-in page in another browser. */
const openOtherBrowser = async (browser: Browser, baseURL: string): Promise<Page> => {
  const context = await browser.newContext({
    baseURL,
    storageState: SIGNED_OUT,
    userAgent: FIREFOX,
  });
  const page = await context.newPage();
  await page.goto("/login");
  return page;
};

const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

const openSettings = async (page: Page): Promise<void> => {
  const account = page.getByRole("button", { name: /^Account/ });
  await waitForHydration(account);
  await account.click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
};

const expectSignedIn = async (page: Page): Promise<void> =>
  expect(page.getByRole("heading", { name: "What shall we work on?" })).toBeVisible();

test("an address without a page keeps the chat list and the pages of the settings", async ({
  page,
}) => {
  const missing = await page.goto("/settings/nope");
  expect(missing?.status()).toBe(404);
  await expect(page).toHaveTitle("Not found · Settings · Parley");
  await expect(page.getByText("There is no such settings page")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Chats" })).toBeVisible();
  const settings = page.getByRole("navigation", { name: "Settings" });
  await settings.getByRole("link", { name: "Advisor" }).click();
  await expect(page.getByRole("heading", { name: "Advisor", level: 1 })).toBeVisible();
});

test("a long page of settings scrolls below its navigation only", async ({ page }) => {
  await page.goto("/settings/tools");
  await expect(page.getByText("write_file", { exact: true })).toBeVisible();
  const [content, visible] = await page.evaluate(() => [
    document.documentElement.scrollHeight,
    window.innerHeight,
  ]);
  expect(content).toBe(visible);
});

test("an API key made in the browser works over REST until it is revoked", async ({
  page,
  server,
}) => {
  await page.goto("/");
  await openSettings(page);
  await page.getByRole("link", { name: "API keys" }).click();
  await expect(page).toHaveTitle(/API keys · Settings · Parley$/);

  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Nightly report");
  await page.getByRole("radio", { name: "Read" }).check();
  await page.getByRole("combobox", { name: "Expires" }).selectOption("In 30 days");
  await page.getByRole("button", { name: "Create key" }).click();
  const panel = page.getByRole("group", { name: "Your key “Nightly report” is ready" });
  await expect(panel).toContainText("It cannot be shown again.");
  const key = await panel.getByRole("code").innerText();
  const client = createApi(server.url, key);
  expect(await client.request("GET /chats")).toMatchObject({ status: 200 });
  expect(await client.request("POST /chats", { content: "Hello" })).toMatchObject({
    status: 403,
    body: { code: "forbidden" },
  });

  await panel.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(key)).toHaveCount(0);
  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: "Nightly report" });
  await expect(row).toContainText("Read");
  await expect(row).toContainText("Last used just now");
  await expect(page.getByText(key)).toHaveCount(0);

  await row.getByRole("button", { name: "Revoke Nightly report" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "API keys" })).toBeFocused();
  expect(await client.request("GET /chats")).toMatchObject({
    status: 401,
    body: { code: "unauthorized" },
  });
});

test("a key for a program that runs a toolset declares it and claims its calls, and no other", async ({
  page,
  server,
  api,
}) => {
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Runner");
  await page.getByRole("textbox", { name: "Only these toolsets" }).fill("runbook");
  await page.getByRole("button", { name: "Create key" }).click();
  const panel = page.getByRole("group", { name: /is ready$/ });
  const program = createApi(server.url, await panel.getByRole("code").innerText());
  const toolset = {
    version: "1",
    tools: [{ name: "restart", description: "Restarts a server", input_schema: {} }],
  };
  const declare = async (name: string) =>
    (await program.request(`PUT /toolsets/${name}`, toolset)).status;
  const claim = async (name: string) =>
    (await program.request("POST /tool-calls/claim", { holder: "runner-1", toolset: name })).status;
  expect([await declare("runbook"), await claim("runbook")]).toEqual([200, 200]);
  expect([await declare("other"), await claim("other")]).toEqual([403, 403]);
  await api.request("DELETE /toolsets/runbook");
});

test("a key that is for seconds is shown as expired as soon as it is refused", async ({
  page,
  server,
  api,
}) => {
  await page.goto("/settings/api-keys");
  const fields = { name: "For a moment", scopes: ["read"], expires_in_seconds: 8 };
  const created = await api.request("POST /api-keys", fields);
  const client = createApi(server.url, (created.body as { key: string }).key);
  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: fields.name });
  await expect(row).toContainText(/Expires in \ds/);
  await expect.poll(async () => (await client.request("GET /chats")).status).toBe(401);
  // A whole minute later it would say so, too.
  await expect(row.getByText("Expired", { exact: true })).toBeVisible({ timeout: 5_000 });
});

test("a browser can be signed out from another one", async ({ page, browser, server }) => {
  const other = await openOtherBrowser(browser, server.url);
  await signIn(other, server.owner);
  await expectSignedIn(other);

  await page.goto("/settings/account");
  const row = page.getByRole("listitem").filter({ hasText: "Firefox on Linux" });
  await expect(page.getByRole("listitem").filter({ hasText: "This browser" })).toHaveCount(1);
  await row.getByRole("button", { name: "Sign out Firefox on Linux" }).click();
  await expect(row).toHaveCount(0);
  await expect(other).toHaveURL(`${server.url}/login`);
  await page.reload();
  await expect(page.getByText("This browser")).toBeVisible();
  await other.context().close();
});

test.describe("without a session", () => {
  test.use({ storageState: SIGNED_OUT });

  test("a member has no pages for models and the advisor", async ({ page, server, users }) => {
    await page.goto("/login");
    await signIn(page, users.member);
    await expectSignedIn(page);
    await openSettings(page);
    await expect(page).toHaveURL(`${server.url}/settings/api-keys`);
    const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await expect(links).toHaveText([
      "Tools",
      "API keys",
      "Notifications",
      "Appearance",
      "Data",
      "Account",
    ]);
    await expect(page.getByRole("button", { name: "Revoke of the test" })).toBeVisible();
    await links.last().click();
    await expect(page.getByText(users.member.email)).toBeVisible();
    await page.goto("/settings/advisor");
    await expect(page.getByText("Only the administrator of this server")).toBeVisible();
  });
});

test("a new password signs out the other browsers", async ({ page, browser, server }) => {
  const other = await openOtherBrowser(browser, server.url);
  await signIn(other, server.owner);
  await expectSignedIn(other);

  await page.goto("/settings/account");
  await expect(page.getByText("Firefox on Linux")).toBeVisible();
  const current = page.getByLabel("Current password");
  const next = page.getByLabel("New password");
  await current.fill("not the password");
  await next.fill("battery staple");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAttribute("aria-invalid", "true");
  await expect(current).toBeFocused();
  await current.fill(server.owner.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Changed." })).toBeVisible();
  await expect(page.getByText("Firefox on Linux")).toHaveCount(0);

  await expect(other).toHaveURL(`${server.url}/login`);
  await signIn(other, server.owner);
  await expect(other.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  await signIn(other, { ...server.owner, password: "battery staple" });
  await expectSignedIn(other);
  await page.reload();
  await expect(page.getByText("Firefox on Linux")).toBeVisible();
  await other.context().close();
});

test("Back asks before it discards what was entered in a form", async ({ page }) => {
  await page.goto("/settings/models");
  await page.getByRole("link", { name: "Recipes" }).click();
  await page.getByRole("button", { name: /^(Add|New) recipe/ }).click();
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  await name.click();
  await page.keyboard.type("tides");
  const goBack = () => page.evaluate(() => history.back());
  await goBack();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(name).toHaveValue("tides");
  await expect(page).toHaveURL(/\/settings\/recipes$/);
  await goBack();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(name).toHaveCount(0);
  await expect(page).toHaveURL(/\/settings\/recipes$/);
  await goBack();
  await expect(page).toHaveURL(/\/settings\/models$/);
});
