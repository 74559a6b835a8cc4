import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

/** A story of the demo model, slow enough not to end by itself on slow machines. */
const STORY = "slow 200ms story";
const END = "The end.";

test("an answer continues to stream after a reload", async ({ page, api }) => {
  const { startChat, answers } = chatPage(page);
  const id = await startChat("slow 120ms story");
  await expect(answers).toContainText("Once upon a time");
  await page.reload();
  await expect(answers).toContainText("Once upon a time");
  expect((await api.chat(id)).status).toBe("running");
  await expect(answers).toContainText(END);
  await expect(answers).toHaveCount(1);
});

test("Stop keeps the partial answer, and the chat can continue", async ({ page, api }) => {
  const { startChat, answers, stop, sendMessage } = chatPage(page);
  const id = await startChat(STORY);
  await expect(answers).toContainText("Once upon a time");
  await stop.click();
  await expect(stop).toBeHidden();
  // The button says "Stopping" until the turn has ended.
  await api.waitForStatus(id, ["waiting"]);
  await expect(answers).toContainText("Once upon a time");
  await expect(answers).not.toContainText(END);
  const { messages } = await api.history(id);
  expect(messages.at(-1)).toMatchObject({ role: "assistant", interrupted: true });
  await sendMessage("write 5 words");
  await expect(answers.last()).toContainText("a model reads what was");
});

test("messages are queued while a turn runs, and one can be sent now", async ({ page, api }) => {
  const { startChat, answers, sendMessage, userMessages } = chatPage(page);
  const id = await startChat(STORY);
  await expect(answers).toContainText("Once upon");
  await sendMessage("write 3 words");
  await sendMessage("write 4 words");
  const queue = page.getByRole("region", { name: /messages? waits?/ });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await expect(userMessages).toHaveCount(1);
  await queue.getByRole("listitem").nth(1).getByRole("button", { name: "Send now" }).click();
  await expect(userMessages).toHaveCount(3);
  await expect(queue).toBeHidden();
  await expect(userMessages.nth(1)).toContainText("write 4 words");
  await expect(userMessages.nth(2)).toContainText("write 3 words");
  await expect(answers.last()).toContainText("a model reads");
  const { messages } = await api.history(id);
  expect(messages[1]).toMatchObject({ role: "assistant", interrupted: true });
});

test("Stop with a queue pauses it, in every tab and after a reload", async ({
  page,
  context,
  api,
}) => {
  const { startChat, answers, sendMessage, userMessages, stop } = chatPage(page);
  const id = await startChat(STORY);
  await expect(answers).toContainText("Once upon");
  await sendMessage("write 3 words");
  await sendMessage("write 4 words");
  const second = await context.newPage();
  await chatPage(second).openChat(id);
  await stop.click();
  for (const tab of [page, second]) {
    await expect(
      tab.getByRole("region", { name: "2 messages wait. The queue is paused." }),
    ).toBeVisible();
  }
  await second.close();
  await page.reload();
  const queue = page.getByRole("region", { name: /The queue is paused/ });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  const chat = await api.chat(id);
  expect(chat).toMatchObject({ status: "waiting", queued_count: 2, queue_paused: true });
  expect(chat.usage.output_tokens).toBeGreaterThan(0);
  await expect(userMessages).toHaveCount(1);

  await queue.getByRole("button", { name: "Send next" }).click();
  await expect(userMessages).toHaveCount(3);
  await expect(queue).toBeHidden();
  await expect(userMessages.nth(1)).toContainText("write 3 words");
});

test("a queued message can be removed or moved back to the composer", async ({ page }) => {
  const { startChat, answers, sendMessage, message, stop } = chatPage(page);
  await startChat(STORY);
  await expect(answers).toContainText("Once upon");
  await sendMessage("first thought");
  await sendMessage("second thought");
  const queue = page.getByRole("region", { name: /messages? waits?/ });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await queue.getByRole("listitem").first().getByRole("button", { name: "Remove" }).click();
  await expect(queue.getByRole("listitem")).toHaveCount(1);
  // Also when the person has left the chat by then.
  const left = Promise.withResolvers<undefined>();
  await page.route(/queue\.delete/, async (route) => {
    await left.promise;
    await route.continue();
  });
  await queue.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "New chat" }).click();
  await expect(page).toHaveURL("/");
  left.resolve(undefined);
  await page.goBack();
  await expect(queue).toBeHidden();
  await expect(message).toHaveValue("second thought");
  await stop.click();
  await expect(stop).toBeHidden();
});

test("editing a message replaces it and all later ones", async ({ page, api }) => {
  const { startChat, answers, sendMessage, userMessages, log } = chatPage(page);
  const id = await startChat("write 3 words");
  await expect(answers).toContainText("a model reads");
  await sendMessage("write 4 words");
  await expect(answers).toHaveCount(2);
  await userMessages.first().hover();
  await userMessages.first().getByRole("button", { name: "Edit message" }).click();
  const editor = log.getByRole("form", { name: "Edit message" });
  await editor.getByRole("textbox", { name: "Message" }).fill("write 5 words");
  await editor.getByRole("button", { name: "Send", exact: true }).click();
  await expect(userMessages).toHaveText([/write 5 words/]);
  await expect(answers).toHaveCount(1);
  await expect(answers).toContainText("a model reads what was");
  // The last word is shown shortly before it is stored.
  await api.waitForStatus(id);
  const { messages } = await api.history(id);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("an error shows its reason and can be retried", async ({ page }) => {
  const { startChat } = chatPage(page);
  await startChat("fail auth");
  const failure = page
    .getByRole("alert")
    .filter({ has: page.getByRole("button", { name: "Retry" }) });
  await expect(failure).toContainText("as you asked");
  await failure.getByRole("button", { name: "Retry" }).click();
  await expect(failure).toContainText("as you asked");
});

test("the page continues after the server is killed during an answer and restarted", async ({
  page,
  server,
}) => {
  const { startChat, answers, chatList } = chatPage(page);
  const id = await startChat("slow 100ms write 60 words");
  await expect(answers).toContainText("a model reads");
  await server.kill();
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeVisible();
  await server.database.expireLeases();
  await server.start();
  const chat = await server.api.waitForStatus(id);
  expect(chat).toMatchObject({ status: "waiting", last_error: null });
  const { messages } = await server.api.history(id);
  const [text] =
    messages[1]?.parts.flatMap((part) => (part.type === "text" ? part.text : [])) ?? [];
  expect(text?.split(" ")).toHaveLength(60);
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeHidden();
  await expect(answers).toHaveCount(1);
  await expect(answers).toContainText(text ?? "");
  await expect(chatList.getByRole("link").first()).not.toContainText("Working");
});

test("a turn rests after its tools, and Continue gives the model the results", async ({
  page,
  api,
}) => {
  const { openChat, answers } = chatPage(page);
  const auto_submit = { success: false };
  const { id } = await api.createChat({ content: "use current_time with {}", auto_submit });
  await openChat(id);
  const resume = page.getByRole("button", { name: "Continue", exact: true });
  await expect(resume).toBeVisible();
  await expect(answers.last()).not.toContainText("answered");
  await page.reload();
  await page.getByRole("button", { name: "Actions for this chat" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Go on after a success" }).click();
  await expect.poll(async () => (await api.chat(id)).auto_submit.success).toBe(true);
  await page.keyboard.press("Escape");
  await resume.click();
  await expect(answers.last()).toContainText("The tool has answered");
  await expect(resume).toBeHidden();
});

test("a message enters the turn that runs, by a key or from the queue", async ({ page, api }) => {
  const { startChat, message, userMessages } = chatPage(page);
  const id = await startChat('use exec with {"action":"run","command":"sleep 5"}');
  await api.waitForStatus(id, ["running"]);
  await message.fill("And be brief");
  await message.press("Alt+Enter");
  const queue = page.getByRole("region", { name: /messages? waits?/ });
  await expect(queue.getByRole("listitem")).toContainText("with the next step");
  await message.fill("Thank you");
  await message.press("Enter");
  const second = queue.getByRole("listitem").nth(1);
  await second.getByRole("button", { name: "Add to this answer" }).click();
  await expect(second).toContainText("with the next step");
  await expect(userMessages).toHaveText([/use exec/, /And be brief/, /Thank you/]);
  await api.waitForStatus(id, ["waiting"]);
  const roles = (await api.history(id)).messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user", "user", "assistant"]);
});
