import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { measureReference, traceTasks } from "./trace-tasks";

const TURN_TIMEOUT_MS = 25_000;
/** What a task of the page may take: 50 ms where the reference takes 10 ms. */
const MAX_REFERENCES = 5;

test("a page has no long task while a command writes 10 MB in colors", async ({
  page,
  api,
}, testInfo) => {
  const session = await page.context().newCDPSession(page);
  const { id } = await api.createChat({ content: "Hello" });
  await api.waitForStatus(id, TURN_TIMEOUT_MS);
  const { openChat, sendMessage, answers, log } = chatPage(page);
  await openChat(id);
  await expect(answers).toHaveCount(1);
  const referenceMs = await measureReference(session, page);
  const colors = String.raw`yes "$(printf '\033[31mlow \033[32mtide\033[0m')"`;
  const command = `${colors} | head -c 10000000; echo; echo the end`;
  const tasks = await traceTasks(session, async () => {
    await sendMessage(`use exec with ${JSON.stringify({ action: "run", command })}`);
    await expect(answers.last()).toContainText("The tool has answered");
    await expect(log.getByText("the end").last()).toBeAttached();
  });
  const longest = tasks.slice(0, 5).map((ms) => ms.toFixed(1));
  testInfo.annotations.push({
    type: "longest tasks",
    description: `${longest.join(", ")} ms of CPU; the reference takes ${referenceMs.toFixed(1)} ms`,
  });
  expect(referenceMs).toBeGreaterThan(0);
  expect(tasks[0]).toBeLessThan(MAX_REFERENCES * referenceMs);
});
