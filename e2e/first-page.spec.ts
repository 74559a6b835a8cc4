import type { Page } from "@playwright/test";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { createTabTo } from "./tab-to";

const startToolExample = async (page: Page): Promise<void> => {
  await page.goto("/");
  await page.getByRole("button", { name: /A tool that you answer/ }).click();
};

for (const width of [390, 1440]) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 844 } });

    test("the first page says what Parley is and starts a tool that the person answers", async ({
      page,
    }) => {
      await page.goto("/");
      await expect(page.getByText(/^Parley is a chat on your own server/)).toBeInViewport();
      await expect(page.getByText("The demo model answers")).toBeInViewport();
      const { message, log, answers } = chatPage(page);
      await expect(message).toBeInViewport();
      await startToolExample(page);

      const form = log.getByRole("group", { name: "Your answer is needed" });
      await expect(form).toContainText("blood oranges");
      await form.getByRole("textbox", { name: "Quantity" }).fill("7");
      await form.getByText("Yes", { exact: true }).click();
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(form).toBeHidden();
      await expect(answers.last()).toContainText('"quantity":7');
    });
  });
}

test("an example leaves the text of the composer for the next chat", async ({ page }) => {
  const { message } = chatPage(page);
  await page.goto("/");
  await message.fill("Half a thought");
  await page.getByRole("button", { name: /Decide together/ }).click();
  await page.waitForURL(/\/chats\//);
  await page.goto("/");
  await expect(message).toHaveValue("Half a thought");
});

test("the example is chosen and answered with the keyboard only", async ({ page }) => {
  await page.goto("/");
  const { log, answers, message } = chatPage(page);
  await expect(message).toBeFocused();
  const example = page.getByRole("button", { name: /A tool that you answer/ });
  await createTabTo(page, "Shift+Tab")(example);
  await page.keyboard.press("Enter");

  const form = log.getByRole("group", { name: "Your answer is needed" });
  await expect(form).toBeVisible();
  const quantity = form.getByRole("textbox", { name: "Quantity" });
  await quantity.focus();
  await page.keyboard.type("3");
  await form.getByRole("radio", { name: "Yes" }).focus();
  await page.keyboard.press("Space");
  await form.getByRole("button", { name: "Send answer" }).focus();
  await page.keyboard.press("Enter");
  await expect(answers.last()).toContainText('"quantity":3');
});
