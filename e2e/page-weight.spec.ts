import type { Locator, Page } from "@playwright/test";
import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

const KB = 1_000;
/** Compressed scripts of a page, in bytes, by the most that it shows. */
const BUDGETS = {
  text: 212 * KB,
  /** A chat, or a setting with fields. */
  plainChat: 242 * KB,
  /** With highlighted code. */
  markdown: 286 * KB,
  /** As a schema describes it. */
  form: 358 * KB,
};

/** @returns the compressed bytes of each script that the page has loaded. */
const measureScripts = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return Object.fromEntries(
      resources
        .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
        .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]),
    );
  });

const expectWithin = async (page: Page, budget: number, shown: Locator): Promise<void> => {
  await expect(shown).toBeVisible();
  const scripts = await measureScripts(page);
  const bytes = Object.values(scripts).reduce((sum, size) => sum + size, 0);
  test.info().annotations.push({ type: "bytes", description: String(bytes) });
  console.log(`${page.url()}: ${bytes} bytes of compressed scripts`);
  expect(bytes, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(budget);
  // Without any script there would be nothing to measure.
  expect(bytes).toBeGreaterThan(50 * KB);
};

test.describe("the scripts of", () => {
  test("the page of a new chat stay within the budget of text", async ({ page }) => {
    await page.goto("/");
    await expectWithin(page, BUDGETS.text, page.getByRole("textbox", { name: "Message" }));
  });

  test("a chat of plain text stay within the budget of chats", async ({ page, api }) => {
    const { id } = await api.createChat({ content: "write 30 words" });
    await api.waitForStatus(id);
    const { openChat, answers } = chatPage(page);
    await openChat(id);
    await expectWithin(page, BUDGETS.plainChat, answers.getByText(/a model reads/));
  });

  test("a chat with code stay within the budget of Markdown", async ({ page, api }) => {
    const { id } = await api.createChat({ content: "```ts\nconst depth: number = 4;\n```" });
    await api.waitForStatus(id);
    const { openChat, answers } = chatPage(page);
    await openChat(id);
    // The keyword is a token of its own when the highlighter has colored the block.
    await expectWithin(page, BUDGETS.markdown, answers.getByText("const", { exact: true }));
  });

  test("a chat with a form stay within the budget of forms", async ({ page, api }) => {
    const { id } = await api.createChat({
      content: 'use check_order with {"order":"A-17"}',
      dynamic_tools: [ORDER_TOOL],
    });
    await api.waitForStatus(id);
    const { openChat, log } = chatPage(page);
    await openChat(id);
    // Only a script knows the time.
    await expectWithin(page, BUDGETS.form, log.getByText(/Answer within/));
  });

  test("the playground stay within the budget of forms", async ({ page }) => {
    await page.goto("/playground");
    await expectWithin(page, BUDGETS.form, page.getByRole("button", { name: "Start a chat" }));
  });

  test("pages without a chat stay within the budget of text", async ({ page }) => {
    const title = page.getByRole("heading", { level: 1 });
    for (const path of ["account", "api-keys", "appearance", "models", "notifications", "tools"]) {
      await page.goto(`/settings/${path}`);
      await expectWithin(page, BUDGETS.text, title);
    }
    const heading = page.getByRole("heading", { level: 2 }).first();
    for (const path of ["", "/chats", "/schemas/Chat"]) {
      await page.goto(`/docs${path}`);
      await expectWithin(page, BUDGETS.text, heading);
    }
  });

  test("the page of a setting with fields stay within the budget of chats", async ({ page }) => {
    await page.goto("/settings/advisor");
    await expectWithin(page, BUDGETS.plainChat, page.getByRole("heading", { level: 1 }));
  });

  test.describe("without a session", () => {
    test.use({ storageState: { cookies: [], origins: [] } });

    test("the sign-in page stay within the budget of text", async ({ page }) => {
      await page.goto("/login");
      await expectWithin(page, BUDGETS.text, page.getByRole("button", { name: "Sign in" }));
    });
  });
});
