import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

const SETTLE_TIMEOUT_MS = 20_000;

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
  await expect(log.getByRole("button", { name: /Check order/ })).toContainText("Waiting for you");
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

  expect(await api.waitForStatus(id, SETTLE_TIMEOUT_MS)).toMatchObject({ status: "waiting" });
  const { messages } = await api.history(id);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  expect(calls.map(({ kind, state }) => [kind, state])).toEqual([
    ["dynamic", "completed"],
    ["builtin", "completed"],
  ]);
  expect(calls[0]?.output).toMatchObject({ days: 0, note: "left on Monday" });
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

  const action = (await api.waitForStatus(id, SETTLE_TIMEOUT_MS)).required_action;
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
  const failing = form.getByRole("region", { name: "Say something" });
  await failing.getByText("Error", { exact: true }).click();
  await expect(failing.getByRole("radio", { name: "Answer with an error" })).toBeChecked();
  await failing.getByRole("textbox", { name: "What went wrong" }).fill("nothing to say");
  const json = form.getByRole("region", { name: "Is open" });
  await json.getByText("JSON", { exact: true }).click();
  await json.getByRole("textbox", { name: "Answer as JSON" }).fill("false");
  await form.getByRole("button", { name: "Send 2 answers" }).click();
  await expect(answers.last()).toContainText("failed");
  const { messages } = await api.history(id);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  expect(calls.map(({ output, is_error }) => [output, is_error])).toEqual([
    [false, false],
    ["nothing to say", true],
  ]);
});
