import type { CDPSession, Page, TestInfo } from "@playwright/test";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { createTestServer } from "./server";
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
  const colors = String.raw`yes "$(printf '\033[31mlow \033[32mtide\033[0m')"`;
  const command = `${colors} | head -c 10000000; echo; echo the end`;
  await expectNoLongTask({ session, page, testInfo }, async () => {
    await sendMessage(`use exec with ${JSON.stringify({ action: "run", command })}`);
    await expect(answers.last()).toContainText("The tool has answered");
    await expect(log.getByText("the end").last()).toBeAttached();
  });
});

const AGENTS = 20;

test("a page has no long task while 20 agents of its chat work", async ({ page }, testInfo) => {
  const server = await createTestServer({
    settings: { PARLEY_AGENTS_RUNNING: `${AGENTS}`, PARLEY_WORKER_CONCURRENCY: `${AGENTS + 2}` },
  });
  try {
    await server.start();
    const signIn = { data: server.owner, headers: { origin: server.url } };
    await page.request.post(`${server.url}/api/auth/sign-in/email`, signIn);
    const session = await page.context().newCDPSession(page);
    const { id } = await server.api.createChat({ content: "Hello" });
    await server.api.waitForStatus(id, TURN_TIMEOUT_MS);
    const { sendMessage, answers, log } = chatPage(page);
    await page.goto(`${server.url}/chats/${id}`);
    await expect(answers).toHaveCount(1);
    await expectNoLongTask({ session, page, testInfo }, async () => {
      await sendMessage(`spawn ${AGENTS} agents to slow 150ms write 30 words then wait`);
      const rows = log.getByRole("list", { name: "Agents" }).last().getByRole("listitem");
      await expect(rows.filter({ hasText: "Running" })).toHaveCount(AGENTS);
      await server.api.waitForStatus(id, TURN_TIMEOUT_MS, ["waiting"]);
      await expect(answers.last()).toContainText("has answered");
    });
  } finally {
    await server.remove();
  }
});

type Measured = { session: CDPSession; page: Page; testInfo: TestInfo };

const expectNoLongTask = async (
  { session, page, testInfo }: Measured,
  body: () => Promise<unknown>,
): Promise<void> => {
  const referenceMs = await measureReference(session, page);
  const tasks = await traceTasks(session, body);
  const longest = tasks.slice(0, 5).map((ms) => ms.toFixed(1));
  testInfo.annotations.push({
    type: "longest tasks",
    description: `${longest.join(", ")} ms of CPU; the reference takes ${referenceMs.toFixed(1)} ms`,
  });
  expect(referenceMs).toBeGreaterThan(0);
  expect(tasks[0]).toBeLessThan(MAX_REFERENCES * referenceMs);
};
