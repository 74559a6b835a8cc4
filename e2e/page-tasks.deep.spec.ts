import { chatPage } from "./chat-page";
import { useExec } from "./exec-calls";
import { expect, test } from "./fixtures";
import { ROUNDS } from "./medians";
import { createTestServer } from "./server";
import { createTaskMeter } from "./main-thread-tasks";

/** What a task of the page may take: 50 ms where the reference takes 10 ms. */
const MAX_REFERENCES = 5;

test("a page has no long task while a command writes 10 MB in colors", async ({ context, api }) => {
  const meter = createTaskMeter();
  for (let round = 0; round < ROUNDS; round++) {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const { id } = await api.createChat({ content: "Hello" });
    await api.waitForStatus(id);
    const { openChat, sendMessage, answers, log } = chatPage(page);
    await openChat(id);
    await expect(answers).toHaveCount(1);
    const colors = String.raw`yes "$(printf '\033[31mlow \033[32mtide\033[0m')"`;
    const command = `${colors} | head -c 10000000; echo; echo the end`;
    await meter.measure("a command writes 10 MB", { page, session }, async () => {
      await sendMessage(useExec({ action: "run", command }));
      await expect(answers.last()).toContainText("The tool has answered");
      await expect(log.getByText("the end").last()).toBeAttached();
    });
    await page.close();
  }
  meter.expectBelow(MAX_REFERENCES);
});

const AGENTS = 20;

test("a page has no long task while 20 agents of its chat work", async ({ context }) => {
  const server = await createTestServer({
    settings: { PARLEY_AGENTS_RUNNING: `${AGENTS}`, PARLEY_WORKER_CONCURRENCY: `${AGENTS + 2}` },
  });
  const meter = createTaskMeter();
  try {
    await server.start();
    const signIn = { data: server.owner, headers: { origin: server.url } };
    await context.request.post(`${server.url}/api/auth/sign-in/email`, signIn);
    for (let round = 0; round < ROUNDS; round++) {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      const { id } = await server.api.createChat({ content: "Hello" });
      await server.api.waitForStatus(id);
      const { sendMessage, answers, log } = chatPage(page);
      await page.goto(`${server.url}/chats/${id}`);
      await expect(answers).toHaveCount(1);
      await meter.measure(`${AGENTS} agents work`, { page, session }, async () => {
        await sendMessage(`spawn ${AGENTS} agents to slow 150ms write 30 words then wait`);
        const rows = log.getByRole("list", { name: "Agents" }).last().getByRole("listitem");
        await expect(rows.filter({ hasText: "Running" })).toHaveCount(AGENTS);
        await server.api.waitForStatus(id, ["waiting"]);
        await expect(answers.last()).toContainText("has answered");
      });
      await page.close();
    }
  } finally {
    await server.remove();
  }
  meter.expectBelow(MAX_REFERENCES);
});
