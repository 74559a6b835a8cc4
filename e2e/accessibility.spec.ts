import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const expectAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
  );
  expect(found).toEqual([]);
};

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("the chat with its cards, form and queue is accessible", async ({ page, api }) => {
      const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
      await api.send(id, "and then?");
      const { open, log } = chatPage(page);
      await open(id);
      const form = log.getByRole("group", { name: "Your answer is needed" });
      await expect(form).toBeVisible();
      await log.getByRole("button", { name: /Write file/ }).click();
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(form.getByRole("textbox", { name: "Days" })).toHaveAttribute(
        "aria-invalid",
        "true",
      );
      await expectAccessible(page);
    });

    test("a new chat is accessible", async ({ page }) => {
      await page.goto("/");
      await expect(page.getByRole("heading", { name: "What shall we work on?" })).toBeVisible();
      await expectAccessible(page);
    });

    test("an answer in markdown with reasoning is accessible", async ({ page }) => {
      const { start, answers } = chatPage(page);
      await start("think about a boat");
      await expect(answers).toContainText("start Parley again.");
      await expectAccessible(page);
    });

    test.describe("without an account", () => {
      test.use({ storageState: { cookies: [], origins: [] } });

      test("setting up and signing in are accessible", async ({ page, newServer }) => {
        await page.goto("/login");
        await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
        await expectAccessible(page);
        await page.goto(`${newServer.url}/setup`);
        await page.getByRole("button", { name: "Create account" }).click();
        await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute(
          "aria-invalid",
          "true",
        );
        await expectAccessible(page);
      });
    });
  });
}
