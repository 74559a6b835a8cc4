import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

test("a tab streams while the browser has frozen the one with the connections", async ({
  page,
  api,
  context,
}) => {
  const { id } = await api.createChat({ content: "write 2 words" });
  const leads = page.waitForResponse(/\/api\/v1\/watch$/);
  await chatPage(page).openChat(id);
  await leads;
  // A page that is stopped at a statement handles no messages and keeps its lock, as a frozen one does.
  const session = await context.newCDPSession(page);
  await session.send("Debugger.enable");
  const paused = new Promise((resolve) => session.once("Debugger.paused", resolve));
  // Answered only after the page has been resumed.
  const stopped = session.send("Runtime.evaluate", { expression: "debugger" });
  await paused;
  const other = await context.newPage();
  const { openChat, message, send, answers } = chatPage(other);
  await openChat(id);
  await message.fill("write 300 words");
  await send.click();
  await expect(answers.last()).toContainText("a model reads");
  await session.send("Debugger.resume");
  await stopped;
  await expect(chatPage(page).answers.last()).toContainText("a model reads");
});
