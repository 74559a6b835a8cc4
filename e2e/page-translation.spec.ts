import type { Page } from "@playwright/test";
import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { translatePage, type TranslationKind } from "./page-translator";

const KINDS: readonly TranslationKind[] = ["replace", "move"];

/** Collects what goes wrong in a page. */
const collectErrors = (page: Page): string[] => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${error.name}: ${error.message}`));
  return errors;
};

/** A page that is translated is as it would be in its own language: nothing has failed, and no text is there twice. */
const expectIntact = async (page: Page, errors: readonly string[]): Promise<void> => {
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  expect(errors).toEqual([]);
};

for (const kind of KINDS) {
  test.describe(`in a page whose translator ${kind === "move" ? "moves" : "replaces"} texts`, () => {
    test("messages, answers, queue, form and errors come and go", async ({ page, api }) => {
      const errors = collectErrors(page);
      const { id } = await api.createChat({
        content: "write 30 words",
        dynamic_tools: [ORDER_TOOL],
      });
      await api.waitForStatus(id);
      const { openChat, answers, userMessages, message, log, stop } = chatPage(page);
      const sendText = async (text: string): Promise<void> => {
        await message.fill(text);
        await message.press("Enter");
      };
      await openChat(id);
      await waitForHydration(message);
      await translatePage(page, kind);
      await expect(answers.locator("font").first()).toBeVisible();
      // A streamed answer grows, ends, and is regenerated.
      await sendText("slow 5ms write 200 words");
      await expect(userMessages).toHaveCount(2);
      await expect(page.getByText("Thinking…")).toHaveCount(0);
      await sendText("write 3 words from the queue");
      await expect(page.getByText("1 message waits")).toBeVisible();
      await expect(userMessages).toHaveCount(3);
      await expect(page.getByText("message waits")).toHaveCount(0);
      await expect(stop).toBeHidden();
      await expect(answers).toHaveCount(3);
      // A form is answered.
      await sendText('use check_order with {"order":"A-17"}');
      const form = log.getByRole("group", { name: "Your answer is needed" });
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(form.getByText("required").first()).toBeVisible();
      await form.getByRole("textbox", { name: "Days" }).fill("2");
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(form).toHaveCount(0);
      await expect(answers.last()).toContainText("2");
      // A failed turn, and the turn after it.
      await sendText("fail auth");
      await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
      await sendText("write 4 words");
      await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
      await expect(userMessages).toHaveCount(6);
      await expect(stop).toBeHidden();
      await expectIntact(page, errors);
    });

    test("titles, menus and lists change", async ({ page, api }) => {
      const errors = collectErrors(page);
      const { id } = await api.createChat({ content: "write 3 words" });
      await api.request(`PATCH /chats/${id}`, { title: "Harbor" });
      const { openChat, chatList, message, log } = chatPage(page);
      await openChat(id);
      await waitForHydration(message);
      await message.fill("A draft that must not be lost");
      await translatePage(page, kind);
      const rename = async (from: string, to: string): Promise<void> => {
        await chatList.getByRole("button", { name: `Actions for ${from}` }).click();
        await page.getByRole("menuitem", { name: "Rename" }).click();
        await page.getByRole("textbox", { name: "Chat title" }).fill(to);
        await page.keyboard.press("Enter");
        await expect(page.getByRole("heading", { name: to, level: 1 })).toHaveCount(1);
        await expect(chatList.getByText(to)).toHaveCount(1);
        await expect(chatList.getByText(from)).toHaveCount(0);
      };
      await rename("Harbor", "Lighthouse");
      await rename("Lighthouse", "Breakwater");
      await page.getByRole("button", { name: /Account/ }).click();
      await page.getByRole("menuitem", { name: "Dark theme" }).click();
      await page.getByRole("button", { name: /Account/ }).click();
      await expect(page.getByRole("menuitem", { name: "Dark theme" })).toContainText("current");
      await page.keyboard.press("Escape");
      // Another program starts chats, and this page archives one and takes it back.
      for (const title of ["Second", "Third"]) {
        const other = await api.createChat({ content: "write 2 words" });
        await api.request(`PATCH /chats/${other.id}`, { title });
        await expect(chatList.getByText(title)).toHaveCount(1);
      }
      await chatList.getByRole("button", { name: "Actions for Second" }).click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await expect(chatList.getByText("Second")).toHaveCount(0);
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(chatList.getByText("Second")).toHaveCount(1);
      const search = page.getByRole("textbox", { name: "Search chats" });
      await search.fill("no such chat");
      await expect(chatList.getByText("Breakwater")).toHaveCount(0);
      await search.fill("");
      await expect(chatList.getByText("Breakwater")).toHaveCount(1);
      await expect(message).toHaveValue("A draft that must not be lost");
      await chatList.getByText("Third").click();
      await expect(page.getByRole("heading", { name: "Third", level: 1 })).toBeVisible();
      await chatList.getByText("Breakwater").click();
      await expect(log).toBeVisible();
      await expect(message).toHaveValue("A draft that must not be lost");
      await expectIntact(page, errors);
    });

    test("settings are changed", async ({ page }) => {
      const errors = collectErrors(page);
      await page.goto("/settings/account");
      await waitForHydration(page.getByRole("button", { name: "Change password" }));
      await translatePage(page, kind);
      const settings = page.getByRole("navigation", { name: "Settings" });
      for (const name of ["Models", "Tools", "API keys", "Appearance", "MCP servers", "Recipes"]) {
        await settings.getByRole("link", { name }).click();
        await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
      }
      await settings.getByRole("link", { name: "API keys" }).click();
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Translated");
      await page.getByRole("button", { name: "Create key" }).click();
      const panel = page.getByRole("group", { name: /is ready/ });
      const key = await panel.getByRole("code").innerText();
      expect(key).toMatch(/^[\w-]+$/);
      await panel.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Revoke Translated" }).click();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await expect(page.getByRole("button", { name: "Revoke Translated" })).toHaveCount(0);
      await expect(page.getByText("“Translated” is revoked.")).toHaveCount(1);
      await expectIntact(page, errors);
    });
  });
}

test("code, commands and output are not translated", async ({ page, api }) => {
  const { id } = await api.createChat({
    content: "Say `tide_table` in:\n\n```ts\nconst depth: number = 4;\n```",
  });
  await api.waitForStatus(id);
  const { openChat, answers, message } = chatPage(page);
  await openChat(id);
  await expect(answers.getByText("const", { exact: true })).toBeVisible();
  await message.fill("A draft");
  await translatePage(page, "replace");
  await expect(answers.locator("font").first()).toBeVisible();
  const translated = await page.locator("font > font").allTextContents();
  expect(translated).toContain("‹Skip to the chat");
  expect(translated.join("\n")).not.toContain("A draft");
  const answer = (await answers.locator("font > font").allTextContents()).join("\n");
  for (const text of ["depth", "const", "tide_table"]) expect(answer).not.toContain(text);
});

test("a page that is translated before its scripts run can be used", async ({ page, api }) => {
  const { id } = await api.createChat({ content: "write 30 words" });
  await api.waitForStatus(id);
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.js", async (route) => {
    await isReleased;
    await route.continue();
  });
  const { message, answers, userMessages, sendMessage } = chatPage(page);
  await page.goto(`/chats/${id}`, { waitUntil: "commit" });
  await expect(answers).toBeVisible();
  await translatePage(page, "replace");
  release();
  await waitForHydration(message);
  for (const count of [2, 3]) {
    await sendMessage("write 3 words");
    await expect(userMessages).toHaveCount(count);
    await expect(answers).toHaveCount(count);
  }
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
});
