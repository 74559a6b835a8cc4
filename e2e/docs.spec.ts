import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expectAccessibleInThemes } from "./axe";
import { expect, test } from "./fixtures";
import { HANG_MS } from "./limits";
import { createTestServer } from "./server";

const run = promisify(execFile);
const command = (page: Page, summary: string) =>
  page.getByRole("region", { name: `Command: ${summary}` });

const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  expect(overflow).toBe(0);
};

for (const width of [390, 1440]) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 844 } });

    test("the reference leads from the list to an operation and its schemas", async ({ page }) => {
      await page.goto("/docs");
      await expect(page).toHaveTitle("Overview · API reference · Parley");
      await expectAccessibleInThemes(page);
      await expectNoSidewaysScroll(page);
      await page.getByRole("link", { name: /^Start a chat with its first message/ }).click();
      await expect(page).toHaveURL(/\/docs\/chats#chats\.create$/);
      await expect(
        page.getByRole("heading", { name: "Start a chat with its first message" }),
      ).toBeInViewport();
      await expectAccessibleInThemes(page);
      await expectNoSidewaysScroll(page);
      await page.getByRole("link", { name: "DynamicToolInput", exact: true }).first().click();
      await expect(page).toHaveTitle("DynamicToolInput · API reference · Parley");
      await expect(page.getByText("output_schema", { exact: true })).toBeVisible();
      await expectAccessibleInThemes(page);
      await expectNoSidewaysScroll(page);
    });
  });
}

test("a new key is in the commands, which work, until the page is loaded again", async ({
  page,
}) => {
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Reader");
  await page.getByRole("radio", { name: "A program that chats" }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  const panel = page.getByRole("group", { name: "Your key “Reader” is ready" });
  const key = await panel.getByRole("code").innerText();
  await panel.getByRole("link", { name: /API reference/ }).click();
  await expect(page.getByText("The commands contain your new key “Reader”")).toBeVisible();
  await page.getByRole("link", { name: /^Start a chat with its first message/ }).click();
  const start = await command(page, "Start a chat with its first message").innerText();
  expect(start).toContain(`Authorization: Bearer ${key}`);
  const { stdout } = await run("bash", ["-c", `${start} --silent --fail-with-body`], {
    timeout: HANG_MS,
  });
  expect(JSON.parse(stdout)).toMatchObject({ status: expect.any(String) });

  // Nothing but this page has the key.
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  );
  expect(stored).not.toContain(key);
  await page.reload();
  await expect(command(page, "Start a chat with its first message")).toContainText(
    "$PARLEY_API_KEY",
  );
  expect(await page.content()).not.toContain(key);
});

test("a key is left out of the commands on request, and when it is revoked", async ({ page }) => {
  const makeKey = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Done" }).click();
  };
  const openReference = () => page.getByRole("link", { name: "API reference" }).first().click();
  await page.goto("/settings/api-keys");
  await makeKey("First");
  await openReference();
  await page.getByRole("button", { name: "Leave it out" }).click();
  await page.getByRole("link", { name: "Make a key" }).click();

  await makeKey("Second");
  await page.getByRole("button", { name: "Revoke Second" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("button", { name: "Revoke Second" })).toHaveCount(0);
  await openReference();
  await expect(page.getByRole("link", { name: "Make a key" })).toBeVisible();
});

test("the playground leads to the reference, and an unknown part of it is a missing page", async ({
  page,
}) => {
  await page.goto("/playground");
  await page.getByText("Code", { exact: true }).click();
  await page.getByRole("link", { name: "API reference" }).click();
  await expect(page).toHaveURL(/\/docs$/);
  const missing = await page.goto("/docs/nothing");
  expect(missing?.status()).toBe(404);
  await expect(page.getByText("Page not found")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open chat list" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: "New chat" })).toBeVisible();
});

test.describe("without a session", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("the reference is shown, and leads to signing in", async ({ page }) => {
    await page.goto("/docs");
    await page.getByRole("link", { name: /^Start a chat with its first message/ }).click();
    await expect(page).toHaveURL(/\/docs\/chats#chats\.create$/);
    await expect(page.getByRole("navigation", { name: "Chats" })).toHaveCount(0);
    await expectAccessibleInThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/login\?next=%2Fdocs%2Fchats$/);
    await page.goto("/docs/nothing");
    await expect(page.getByText("Page not found")).toBeVisible();
    await page.goto("/docs/chats");
    await page.getByRole("link", { name: "Make a key" }).click();
    await expect(page).toHaveURL(/\/login\?next=%2Fsettings%2Fapi-keys$/);
  });

  test("the reference asks to sign in where an operator wants that", async ({ page }) => {
    const server = await createTestServer({ settings: { PARLEY_PUBLIC_DOCS: "off" } });
    try {
      await server.start();
      await page.goto(`${server.url}/docs/chats`);
      await expect(page).toHaveURL(/\/login\?next=%2Fdocs%2Fchats$/);
      const { status } = await fetch(`${server.url}/llms.txt`);
      expect(status).toBe(401);
    } finally {
      await server.remove();
    }
  });
});
