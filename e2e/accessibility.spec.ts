import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const expectAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const messages = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
  );
  expect(messages).toEqual([]);
};

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("a chat with cards, form and queue is accessible", async ({ page, api }) => {
      const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
      await api.send(id, "and then?");
      const { openChat, log } = chatPage(page);
      await openChat(id);
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

    test("the page of a new chat is accessible", async ({ page }) => {
      await page.goto("/");
      await expect(page.getByRole("heading", { name: "What shall we work on?" })).toBeVisible();
      await expectAccessible(page);
    });

    test("an answer in markdown with reasoning is accessible", async ({ page }) => {
      const { startChat, answers } = chatPage(page);
      await startChat("think about a boat");
      await expect(answers).toContainText("start Parley again.");
      await expectAccessible(page);
    });

    test("the pages of API keys and of the account are accessible", async ({ page }) => {
      await page.goto("/settings/api-keys");
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute(
        "aria-invalid",
        "true",
      );
      await expect(page.getByRole("button", { name: "Revoke from the environment" })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("textbox", { name: "Name" }).fill(`In the ${colorScheme} theme`);
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByRole("group", { name: /is ready$/ })).toBeVisible();
      await expectAccessible(page);

      await page.getByRole("link", { name: "Account" }).click();
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
      await expect(page.getByText("This browser")).toBeVisible();
      await expectAccessible(page);
    });

    test.describe("without an account", () => {
      test.use({ storageState: { cookies: [], origins: [] } });

      test("the setup and login pages are accessible", async ({ page, newServer }) => {
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
