import type { Page } from "@playwright/test";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { createTabTo } from "./tab-to";

const PORT = { question: "Which port?", options: [{ label: "Brest" }, { label: "Dover" }] };

const expectNoHorizontalScroll = async (page: Page): Promise<void> => {
  const { content, screen } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(screen);
};

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the chat list is a drawer, and a chat with a form fits the screen", async ({
    page,
    api,
  }) => {
    const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
    const { title } = await api.createChat({ content: "write 2 words" });
    await page.goto("/");
    await expectNoHorizontalScroll(page);
    const { openChat, log, message, send, stop, answers } = chatPage(page);
    await openChat(id);
    const form = log.getByRole("group", { name: "Your answer is needed" });
    await expect(form).toBeVisible();
    await expectNoHorizontalScroll(page);
    await expect(message).not.toBeFocused();
    await form.getByRole("textbox", { name: "Days" }).fill("2");
    await form.getByRole("textbox", { name: "Note" }).fill("by phone");
    await form.getByRole("button", { name: "Send answer" }).tap();
    await expect(answers.last()).toContainText("by phone");
    await message.fill("write 300 words");
    await send.tap();
    await expect(answers.last()).toContainText("a model reads");
    await expectNoHorizontalScroll(page);
    await expect(message).toBeInViewport({ ratio: 1 });
    // Send must not move when the answer ends, because a person may be about to press it.
    await expect(stop).toBeVisible();
    const positionWhileRunning = await send.boundingBox();
    await expect(stop).toBeHidden();
    expect(await send.boundingBox()).toEqual(positionWhileRunning);

    await page.getByRole("button", { name: "Open chat list" }).tap();
    const drawer = page.getByRole("dialog", { name: "Chats" });
    await drawer.getByRole("link", { name: title }).first().tap();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
  });

  test("Enter is a new line in messages and answers, and a keyboard sends with Ctrl", async ({
    page,
    api,
  }) => {
    const { keyboard } = page;
    const { id } = await api.createChat({ content: "write 3 words" });
    await api.waitForStatus(id);
    const { openChat, message, send, userMessages, answers, log } = chatPage(page);
    await openChat(id);
    await waitForHydration(message);
    await message.tap();
    await keyboard.type("first");
    await keyboard.press("Enter");
    await keyboard.type("second");
    await expect(message).toHaveValue("first\nsecond");
    await send.tap();
    await expect(userMessages.last()).toContainText("second");
    await expect(answers).toHaveCount(2);

    await message.tap();
    await keyboard.type("slow 100ms story");
    await keyboard.press("Control+Enter");
    await expect(userMessages).toHaveCount(3);
    await expect(answers.last()).toContainText("Once upon");
    // A message by the keyboard waits for the answer, as one by the button does.
    await keyboard.type("write 2 words");
    await keyboard.press("Meta+Enter");
    await expect(page.getByText("1 message waits")).toBeVisible();
    // Without text, the queue stays as it is.
    await keyboard.press("Enter");
    await expect(message).toHaveValue("\n");
    await message.fill("");
    await expect(answers).toHaveCount(4);
    await expect(userMessages).toHaveCount(4);

    await userMessages.last().getByRole("button", { name: "Edit message" }).tap();
    const editor = page.getByRole("form", { name: "Edit message" });
    const edited = editor.getByRole("textbox", { name: "Message" });
    await edited.fill("write");
    await edited.press("Enter");
    await keyboard.type("5 words");
    await expect(edited).toHaveValue("write\n5 words");
    await editor.getByRole("button", { name: "Send" }).tap();
    await expect(editor).toHaveCount(0);
    await expect(userMessages.last()).toContainText("5 words");
    await expect(answers.last()).toContainText("5 words");

    await message.fill(`use ask_user_question with ${JSON.stringify({ questions: [PORT] })}`);
    await send.tap();
    await log.getByRole("radio", { name: "Other" }).tap();
    const answer = log.getByRole("textbox", { name: "Your answer" });
    await answer.fill("Neither");
    await answer.press("Enter");
    await keyboard.type("of both");
    await expect(answer).toHaveValue("Neither\nof both");
    await log.getByRole("button", { name: "Send answer" }).tap();
    await expect(userMessages.last()).toContainText("of both");
  });
});

test.describe("with the keyboard only", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("signing in, chatting, answering a form and using the menu work", async ({
    page,
    server,
    api,
  }) => {
    const { keyboard } = page;
    const tabTo = createTabTo(page);
    await page.goto("/login");
    await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
    await keyboard.type(server.owner.email);
    await page.keyboard.press("Tab");
    // The button that shows the password may come before or after the field.
    const password = page.getByLabel("Password", { exact: true });
    if (!(await password.evaluate((element) => element === document.activeElement))) {
      await keyboard.press("Tab");
    }
    await expect(password).toBeFocused();
    await keyboard.type(server.owner.password);
    await keyboard.press("Enter");

    const { message, answers, log } = chatPage(page);
    await expect(message).toBeFocused();
    await keyboard.type("write 3 words");
    await keyboard.press("Shift+Enter");
    await keyboard.type("please");
    await keyboard.press("Enter");
    await expect(answers).toContainText("a model reads");
    await expect(message).toBeFocused();

    const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
    await tabTo(
      page.getByRole("link", { name: /Needs you/ }).and(page.locator(`[href="/chats/${id}"]`)),
    );
    await keyboard.press("Enter");
    await expect(log.getByRole("group", { name: "Your answer is needed" })).toBeVisible();
    // Otherwise the rest of the list would come before the form.
    await expect(page.getByRole("main")).toBeFocused();
    await tabTo(log.getByRole("textbox", { name: "Days" }));
    await keyboard.type("3");
    await tabTo(log.getByRole("textbox", { name: "Note" }));
    await keyboard.type("typed");
    await tabTo(log.getByRole("button", { name: "Send answer" }));
    await keyboard.press("Enter");
    await expect(answers.last()).toContainText("typed");

    await tabTo(page.getByRole("button", { name: /^Account/ }));
    await keyboard.press("Enter");
    const dark = page.getByRole("menuitem", { name: "Dark theme" });
    await expect(dark).toBeVisible();
    for (let press = 0; press < 10; press++) {
      if (await dark.evaluate((element) => element === document.activeElement)) break;
      await keyboard.press("ArrowDown");
    }
    await keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });
});

test("the focus moves to the message field when the focused element is removed", async ({
  page,
}) => {
  const { startChat, sendMessage, answers, message, stop, userMessages, log } = chatPage(page);
  const { keyboard } = page;
  const tabTo = createTabTo(page);
  const tabBackTo = createTabTo(page, "Shift+Tab");
  await startChat("slow 200ms story");
  await expect(answers).toContainText("Once upon");
  await sendMessage("slow 200ms story again");
  await tabBackTo(page.getByRole("button", { name: "Send now" }));
  await keyboard.press("Enter");
  await expect(userMessages).toHaveCount(2);
  await expect(message).toBeFocused();

  await tabTo(stop);
  await keyboard.press("Enter");
  await expect(stop).toBeHidden();
  await expect(message).toBeFocused();

  const edit = userMessages.last().getByRole("button", { name: "Edit message" });
  const edited = log.getByRole("textbox", { name: "Message" });
  await tabBackTo(edit);
  await keyboard.press("Enter");
  await expect(edited).toBeFocused();
  await keyboard.press("Escape");
  await expect(message).toBeFocused();
  await tabBackTo(edit);
  await keyboard.press("Enter");
  await expect(edited).toBeFocused();
  await keyboard.type(" and again");
  await keyboard.press("Enter");
  await expect(userMessages.last()).toContainText("slow 200ms story again and again");
  await expect(message).toBeFocused();
});
