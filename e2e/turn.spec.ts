import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

/** The demo model's story, so slow that it does not end by itself on the busiest machine. */
const STORY = "slow 200ms story";
const END = "The end.";

test("a reload in mid-answer keeps the answer coming", async ({ page, api }) => {
  const { start, answers } = chatPage(page);
  const id = await start("slow 120ms story");
  await expect(answers).toContainText("Once upon a time");
  await page.reload();
  await expect(answers).toContainText("Once upon a time");
  expect((await api.chat(id)).status).toBe("running");
  await expect(answers).toContainText(END, { timeout: 40_000 });
  await expect(answers).toHaveCount(1);
});

test("Stop keeps what was said, and the chat goes on from there", async ({ page, api }) => {
  const { start, answers, stop, say } = chatPage(page);
  const id = await start(STORY);
  await expect(answers).toContainText("Once upon a time");
  await stop.click();
  await expect(stop).toBeHidden();
  await expect(answers).toContainText("Once upon a time");
  await expect(answers).not.toContainText(END);
  expect(await api.chat(id)).toMatchObject({ status: "waiting" });
  const { messages } = await api.history(id);
  expect(messages.at(-1)).toMatchObject({ role: "assistant", interrupted: true });
  await say("write 5 words");
  await expect(answers.last()).toContainText("a model reads what was");
});

test("messages queue while an answer is written, and one can be sent now", async ({
  page,
  api,
}) => {
  const { start, answers, say, questions } = chatPage(page);
  const id = await start(STORY);
  await expect(answers).toContainText("Once upon");
  await say("write 3 words");
  await say("write 4 words");
  const queue = page.getByRole("region", { name: /messages? waits?/ });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await expect(questions).toHaveCount(1);
  await queue.getByRole("listitem").nth(1).getByRole("button", { name: "Send now" }).click();
  await expect(questions).toHaveCount(3);
  await expect(queue).toBeHidden();
  await expect(questions.nth(1)).toContainText("write 4 words");
  await expect(questions.nth(2)).toContainText("write 3 words");
  await expect(answers.last()).toContainText("a model reads");
  const { messages } = await api.history(id);
  expect(messages[1]).toMatchObject({ role: "assistant", interrupted: true });
});

test("a queued message can be removed and taken back into the composer", async ({ page }) => {
  const { start, answers, say, message, stop } = chatPage(page);
  await start(STORY);
  await expect(answers).toContainText("Once upon");
  await say("first thought");
  await say("second thought");
  const queue = page.getByRole("region", { name: /messages? waits?/ });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await queue.getByRole("listitem").first().getByRole("button", { name: "Remove" }).click();
  await expect(queue.getByRole("listitem")).toHaveCount(1);
  await queue.getByRole("button", { name: "Edit" }).click();
  await expect(queue).toBeHidden();
  await expect(message).toHaveValue("second thought");
  await stop.click();
  await expect(stop).toBeHidden();
});

test("editing a message replaces it and all after it", async ({ page, api }) => {
  const { start, answers, say, questions, log } = chatPage(page);
  const id = await start("write 3 words");
  await expect(answers).toContainText("a model reads");
  await say("write 4 words");
  await expect(answers).toHaveCount(2);
  await questions.first().hover();
  await questions.first().getByRole("button", { name: "Edit message" }).click();
  const editor = log.getByRole("form", { name: "Edit message" });
  await editor.getByRole("textbox", { name: "Message" }).fill("write 5 words");
  await editor.getByRole("button", { name: "Send" }).click();
  await expect(questions).toHaveText([/write 5 words/]);
  await expect(answers).toHaveCount(1);
  await expect(answers).toContainText("a model reads what was");
  // The last word is shown a moment before it is stored.
  await api.rests(id, 20_000);
  const { messages } = await api.history(id);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("an error says why, and Retry goes on", async ({ page }) => {
  const { start } = chatPage(page);
  await start("fail auth");
  const failure = page
    .getByRole("alert")
    .filter({ has: page.getByRole("button", { name: "Retry" }) });
  await expect(failure).toContainText("as you asked");
  await failure.getByRole("button", { name: "Retry" }).click();
  await expect(failure).toContainText("as you asked");
});

test("the server is killed in mid-answer and started again, and the page goes on", async ({
  page,
  server,
}) => {
  // Without the embedded database, a lease has to run out first.
  test.setTimeout(120_000);
  const { start, answers, chats } = chatPage(page);
  const id = await start("slow 100ms write 60 words");
  await expect(answers).toContainText("a model reads");
  await server.kill();
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeVisible();
  await server.start();
  const chat = await server.api.rests(id, 60_000);
  expect(chat).toMatchObject({ status: "waiting", last_error: null });
  const { messages } = await server.api.history(id);
  const [text] =
    messages[1]?.parts.flatMap((part) => (part.type === "text" ? part.text : [])) ?? [];
  expect(text?.split(" ")).toHaveLength(60);
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeHidden({ timeout: 30_000 });
  await expect(answers).toHaveCount(1);
  await expect(answers).toContainText(text ?? "");
  await expect(chats.getByRole("link").first()).not.toContainText("Working");
});
