import type { Page } from "@playwright/test";
import type { Api } from "./api";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

test("a dynamic call in a step with a built-in call is answered in the form", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
  const { openChat, log, answers, chatList } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "Your answer is needed" });
  await expect(form).toContainText("Looks an order up in the shop.");
  await expect(form).toContainText("A-17");
  await expect(log.getByRole("button", { name: /Write file/ })).toContainText("Done");
  await expect(log.getByRole("button", { name: /Check order/ })).toContainText("Needs you");
  await expect(chatList.getByRole("link", { name: /Needs you/ }).first()).toBeVisible();

  // A missing value is reported at its field, and nothing is submitted.
  await form.getByRole("button", { name: "Send answer" }).click();
  const days = form.getByRole("textbox", { name: "Days" });
  await expect(days).toHaveAttribute("aria-invalid", "true");
  await expect(days).toBeFocused();
  await days.fill("0");
  await form.getByRole("textbox", { name: "Note" }).fill("left on Monday");

  // A draft survives a reload.
  await page.reload();
  await expect(form.getByRole("textbox", { name: "Note" })).toHaveValue("left on Monday");
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(form).toBeHidden();
  await expect(answers.last()).toContainText("All 2 tools have answered");
  await expect(answers.last()).toContainText("left on Monday");

  expect(await api.waitForStatus(id)).toMatchObject({ status: "waiting" });
  const { messages } = await api.history(id);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  expect(calls.map(({ kind, state }) => [kind, state])).toEqual([
    ["dynamic", "completed"],
    ["builtin", "completed"],
  ]);
  expect(calls[0]?.output).toMatchObject({ days: 0, note: "left on Monday" });
});

test("an id of 19 digits is shown, and answered, with all its digits", async ({ page, api }) => {
  const integers = (name: string) => ({
    type: "object",
    properties: { [name]: { type: "integer" } },
  });
  const { id } = await api.createChat({
    content: 'use find_message with {"order":1234567890123456789}',
    dynamic_tools: [
      {
        name: "find_message",
        input_schema: integers("order"),
        output_schema: integers("message"),
      },
    ],
  });
  await api.waitForStatus(id, ["requires_action"]);
  const { openChat, log, answers } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "Your answer is needed" });
  await expect(form).toContainText("1234567890123456789");
  await form.getByRole("textbox", { name: "Message" }).fill("9223372036854775807");
  await page.reload();
  await expect(form).toContainText("1234567890123456789");
  await expect(form.getByRole("textbox", { name: "Message" })).toHaveValue("9223372036854775807");
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(answers.last()).toContainText('{"message":9223372036854775807}');
});

test("two tabs show a result that is submitted by REST", async ({ page, context, api }) => {
  const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
  const second = await context.newPage();
  const first = chatPage(page);
  const other = chatPage(second);
  const tabs = [first, other];
  for (const { openChat, log } of tabs) {
    await openChat(id);
    await expect(log.getByRole("group", { name: "Your answer is needed" })).toBeVisible();
  }
  // A draft is shared between tabs.
  await first.log.getByRole("textbox", { name: "Note" }).fill("half an answer");
  await expect(other.log.getByRole("textbox", { name: "Note" })).toHaveValue("half an answer");

  const action = (await api.waitForStatus(id)).required_action;
  await api.submit(
    id,
    (action?.tool_calls ?? []).map(({ tool_call_id }) => ({
      tool_call_id,
      output: { days: 1, note: "from the API" },
    })),
  );
  for (const { log, answers } of tabs) {
    await expect(answers.last()).toContainText("from the API");
    await expect(log.getByRole("group", { name: "Your answer is needed" })).toBeHidden();
    await expect(log.getByText(/Answered by a program with an API key/)).toBeVisible();
  }
  // What was written stays readable, and says why it was not sent.
  await page.reload();
  const draft = first.log.getByRole("group", { name: "Draft for Check order" });
  await expect(draft).toContainText("half an answer");
  await expect(first.log.getByText(/Your draft was not sent/)).toBeVisible();
  await first.openWork();
  const card = first.log.getByRole("button", { name: /Check order .*from the API/ });
  await card.click();
  await expect(first.log.getByText(/^Answered by a program with an API key, /)).toBeVisible();
  await first.log.getByRole("button", { name: "Discard draft" }).click();
  await expect(draft).toBeHidden();
  await second.close();
});

test("false and an error can be submitted as answers", async ({ page, api }) => {
  const { id } = await api.createChat({
    content: "use is_open and say_something",
    dynamic_tools: [
      { name: "is_open", output_schema: { type: "boolean" } },
      { name: "say_something" },
    ],
  });
  const { openChat, log, answers } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "2 answers are needed" });
  // The calls are in the order of the message.
  const json = form.getByRole("region", { name: "Is open" });
  await json.getByText("JSON", { exact: true }).click();
  await json.getByRole("textbox", { name: "Answer as JSON" }).fill("false");
  await form.getByRole("button", { name: "Next" }).click();
  const failing = form.getByRole("region", { name: "Say something" });
  await failing.getByText("Error", { exact: true }).click();
  await expect(failing.getByRole("radio", { name: "Answer with an error" })).toBeChecked();
  await failing.getByRole("textbox", { name: "What went wrong" }).fill("nothing to say");
  await form.getByRole("button", { name: "Send 2 answers" }).click();
  await expect(answers.last()).toContainText("failed");
  const { messages } = await api.history(id);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  expect(calls.map(({ output, is_error }) => [output, is_error])).toEqual([
    [false, false],
    ["nothing to say", true],
  ]);
});

test("a text in the composer cancels no call by accident, and can become the answer", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({
    content: "use ask_colleague",
    dynamic_tools: [{ name: "ask_colleague" }],
  });
  const { openChat, log, message, answers } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "Your answer is needed" });
  await expect(form).toBeVisible();
  // The form states the wait; the card and the status line repeat it for screen readers only.
  await expect(page.getByRole("main").getByText("Needs you")).toHaveClass(["sr-only", "sr-only"]);

  // Escape, Ctrl+Enter and Stop do not cancel the call by themselves.
  await message.fill("Yes, we may.");
  await message.press("Escape");
  await message.press("Control+Enter");
  const question = page.getByRole("alertdialog", { name: "Cancel the open call?" });
  await question.getByRole("button", { name: "Keep waiting" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await question.getByRole("button", { name: "Keep waiting" }).click();
  await expect(question).toBeHidden();
  expect(await api.chat(id)).toMatchObject({ status: "requires_action", queued_count: 0 });

  await page.getByRole("button", { name: "Use this as the answer" }).click();
  const answer = form.getByRole("textbox", { name: "Answer" });
  await expect(answer).toHaveValue("Yes, we may.");
  await expect(answer).toBeFocused();
  await expect(message).toHaveValue("");
  await answer.press("Control+Enter");
  await expect(answers.last()).toContainText("Yes, we may.");
  await api.waitForStatus(id);
  const { messages } = await api.history(id);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  expect(calls).toMatchObject([{ state: "completed", output: "Yes, we may." }]);
});

/** Delays the page's calls of a procedure until the chat has parked, as a slow network would. */
const delayUntilParked = (page: Page, procedure: string, { api, id }: { api: Api; id: string }) =>
  page.route(
    ({ pathname }) => pathname.startsWith("/api/trpc/") && pathname.includes(procedure),
    async (route) => {
      await api.waitForStatus(id, ["requires_action"]);
      await route.continue();
    },
  );

/** Streams for some seconds, then asks. */
const SLOW_QUESTION = "slow 200ms think use ask_colleague";

test("calls that open while a message is on its way are not cancelled by it", async ({
  page,
  api,
}) => {
  const { openChat, message, log, send } = chatPage(page);
  const { id } = await api.createChat({
    content: SLOW_QUESTION,
    dynamic_tools: [{ name: "ask_colleague" }],
  });
  await openChat(id);
  await delayUntilParked(page, "messages.send", { api, id });
  await expect(page.getByText("Ctrl+Enter stops it and sends now.")).toBeVisible();
  await waitForHydration(message);
  await message.fill("Never mind.");
  await message.press("Control+Enter");
  const error = page.getByRole("alert").filter({ hasText: "waits for answers" });
  await expect(error).toBeVisible();
  await expect(log.getByRole("group", { name: "Your answer is needed" })).toBeVisible();
  await expect(message).toHaveValue("Never mind.");
  await expect(send).toBeEnabled();
  expect(await api.chat(id)).toMatchObject({ status: "requires_action", queued_count: 0 });

  // Now that the person sees the call, they can cancel it.
  await message.press("Control+Enter");
  await page.getByRole("button", { name: "Cancel the call and send" }).click();
  await expect(error).toBeHidden();
  await expect(log).toContainText("Never mind.");
});

test("calls that open meanwhile are not cancelled by Stop or by a queued message", async ({
  page,
  api,
}) => {
  for (const [procedure, button] of [
    ["chats.interrupt", "Stop"],
    ["queue.promote", "Send now"],
  ] as const) {
    const { id } = await api.createChat({
      content: SLOW_QUESTION,
      dynamic_tools: [{ name: "ask_colleague" }],
    });
    await api.send(id, "later");
    const { openChat, log } = chatPage(page);
    await openChat(id);
    await delayUntilParked(page, procedure, { api, id });
    await expect(page.getByText("Ctrl+Enter stops it and sends now.")).toBeVisible();
    const action = page.getByRole("button", { name: button, exact: true });
    await waitForHydration(action);
    await action.click();
    await expect(page.getByRole("alert").filter({ hasText: "waits for answers" })).toBeVisible();
    await expect(log.getByRole("group", { name: "Your answer is needed" })).toBeVisible();
    expect(await api.chat(id)).toMatchObject({ status: "requires_action", queued_count: 1 });
    await page.unrouteAll();
  }
});

test("a confirmed Ctrl+Enter cancels the call and sends", async ({ page, api }) => {
  const { id } = await api.createChat({
    content: "use ask_colleague",
    dynamic_tools: [{ name: "ask_colleague" }],
  });
  const { openChat, message, userMessages } = chatPage(page);
  await api.waitForStatus(id);
  await openChat(id);
  await message.fill("write 3 words");
  await message.press("Control+Enter");
  await page.getByRole("button", { name: "Cancel the call and send" }).click();
  await expect(userMessages.last()).toContainText("write 3 words");
  const { messages } = await api.history(id);
  expect(messages[1]?.parts).toContainEqual(expect.objectContaining({ state: "cancelled" }));
});

test("an unknown command is sent only after a question", async ({ page }) => {
  const { message, send, userMessages } = chatPage(page);
  await page.goto("/");
  await message.fill("/compact now");
  await send.click();
  const question = page.getByRole("alertdialog", { name: "There is no command /compact" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(message).toHaveValue("/compact now");
  await expect(page).toHaveURL("/");
  await message.press("Enter");
  await question.getByRole("button", { name: "Send as a message" }).click();
  await expect(userMessages).toContainText("/compact now");
});

test("a tall form opens at its head, and its errors and its button stay visible", async ({
  page,
  api,
}) => {
  const names = Array.from({ length: 30 }, (_, index) => `field_${index}`);
  const { id } = await api.createChat({
    content: "use fill_in",
    dynamic_tools: [
      {
        name: "fill_in",
        output_schema: {
          type: "object",
          properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
          required: names,
        },
      },
    ],
  });
  const { openChat, log } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "Your answer is needed" });
  const head = form.getByRole("heading", { name: "Your answer is needed" });
  const send = form.getByRole("button", { name: "Send answer" });
  await expect(head).toBeInViewport();
  await expect(send).toBeInViewport();
  await page.reload();
  await expect(head).toBeInViewport();

  await form.getByText("Part 3 of 3").click();
  await form.getByRole("textbox", { name: "Field 29" }).fill("the last one");
  await send.click();
  const first = form.getByRole("textbox", { name: "Field 0", exact: true });
  await expect(first).toBeFocused();
  await expect(first).toBeInViewport();
  const link = form.getByRole("alert").getByRole("button", { name: "Field 28 is required." });
  await expect(link).toBeHidden();
  await form.getByRole("button", { name: "Show 26 more" }).click();
  await link.click();
  const named = form.getByRole("textbox", { name: "Field 28" });
  await expect(named).toBeFocused();
  await expect(named).toBeInViewport();
  await expect(link).toBeInViewport();
  await expect(send).toBeInViewport();
});
