import type { Page } from "@playwright/test";
import type { Message } from "@/contract/message";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import type { TestServer } from "./server";
import { createTabTo } from "./tab-to";

/** Takes over a minute. */
const LONG_WORK = "slow 1s story";
/** Ends during the test, but not before the person has written. */
const WORK = "slow 300ms write 20 words";
const WAITING_TEXT = "Waiting for agents. A message ends the wait.";
const status = (page: Page) => page.getByRole("status").filter({ hasText: WAITING_TEXT });

/** Unfolds the agents of a chat in the sidebar. @returns the link of one. */
const unfoldAgents = async (page: Page, chatId: string) => {
  const item = chatPage(page)
    .chatList.getByRole("listitem")
    .filter({ has: page.locator(`a[href="/chats/${chatId}"]`) });
  await item.getByRole("button", { name: /^\d agents?/, expanded: false }).click();
  return (title: string) => item.getByRole("link", { name: title });
};

test("reports of agents come after the turn, and an agent has a page", async ({ page, api }) => {
  const { startChat, answers } = chatPage(page);
  const id = await startChat("spawn 3 agents to write 5 words");
  await expect(answers.filter({ hasText: "All 3 tools have answered" })).toHaveCount(1);
  for (const title of ["Agent 1", "Agent 2", "Agent 3"]) {
    await expect(answers.filter({ hasText: `${title} has ended` })).toHaveCount(1);
  }
  await api.waitForStatus(id, ["waiting"]);
  const agentLink = await unfoldAgents(page, id);
  await agentLink("Agent 2").click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(answers).toContainText("a model reads what was");
});

test("a chat waits for delegated work, until it ends or a person writes", async ({ page }) => {
  const { startChat, answers, sendMessage } = chatPage(page);
  await startChat("delegate slow 150ms write 10 words");
  await expect(status(page)).toBeVisible();
  await expect(answers.last()).toContainText("a model reads what was");

  await sendMessage(`delegate ${WORK}`);
  await expect(status(page)).toBeVisible();
  await sendMessage("write 3 words");
  await expect(status(page)).toBeHidden();
  await expect(answers.filter({ hasText: /^a model reads/ })).toHaveCount(1);
  // The work goes on in the background.
  await expect(answers.filter({ hasText: "Delegated work has ended" })).toHaveCount(1);
});

test("Stop ends a wait and stops the agents", async ({ page, api }) => {
  const { startChat, stop } = chatPage(page);
  const id = await startChat(`spawn 2 agents to ${LONG_WORK} then wait`);
  await expect(status(page)).toBeVisible();
  await stop.click();
  await api.waitForStatus(id, ["waiting"]);
  await expect(status(page)).toBeHidden();
  const agentLink = await unfoldAgents(page, id);
  // Their work would take far longer than this waits.
  for (const title of ["Agent 1", "Agent 2"]) {
    const href = await agentLink(title).getAttribute("href");
    await api.waitForStatus(href?.split("/").at(-1) ?? "", ["waiting"]);
  }
});

const spawn = (title: string, prompt: string): string =>
  `spawn_agent with ${JSON.stringify({ title, prompt })}`;

test.describe("an agent that needs a yes", () => {
  const setMode = (mode: "on" | "ask") => ({ route: "PUT /tools/exec", body: { mode } });
  test.use({ viewport: { width: 390, height: 844 } });
  test.beforeEach(({ api }) => api.request(setMode("ask").route, setMode("ask").body));
  test.afterEach(({ api }) => api.request(setMode("on").route, setMode("on").body));

  test("is answered in its parent's page with the keyboard, and its own page follows", async ({
    page,
    context,
    api,
  }) => {
    const { startChat, log, answers, message } = chatPage(page);
    const id = await startChat(
      `use ${spawn("Reader", "write 3 words")}, ${spawn("Runner", "run `echo ran`")} and ${spawn("Checker", "run `echo checked`")}`,
    );
    const form = log.getByRole("group", { name: "Checker · Approval needed" });
    const other = log.getByRole("group", { name: "Runner · Approval needed" });
    await expect(form).toContainText("echo checked");
    await expect(other).toContainText("of 2 agents");
    await expect(page).toHaveTitle(/needs you/);
    await expect(message).toBeEnabled();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);

    const href = (await form.getByRole("link", { name: "Checker" }).getAttribute("href")) ?? "";
    const child = await context.newPage();
    await child.goto(href);
    const own = chatPage(child).log.getByRole("group", { name: "Approval needed" });
    await expect(own).toBeVisible();
    // A form that only the server has drawn so far does not know later what was open.
    await expect(chatPage(child).message).toBeEnabled();

    await page.bringToFront();
    await log.focus();
    await createTabTo(page)(form.getByRole("button", { name: "Approve", exact: true }));
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
    await expect(own).toBeHidden();
    await expect(chatPage(child).log.getByText("Answered elsewhere.")).toBeVisible();

    // The other way round, a program answers the agent itself.
    const { child_actions: actions } = await api.chat(id);
    const [runner] = actions;
    expect(actions).toMatchObject([{ title: "Runner" }]);
    const decisions = runner?.approvals.map(({ tool_call_id }) => ({
      tool_call_id,
      decision: "approve",
    }));
    await api.request(`POST /chats/${runner?.chat_id}/approvals`, { decisions });
    await expect(other).toBeHidden();
    await expect(log.getByText("Runner: Answered elsewhere.")).toBeVisible();
    for (const title of ["Reader", "Runner", "Checker"]) {
      await expect(answers.filter({ hasText: `${title} has ended` })).toHaveCount(1);
    }
    await api.waitForStatus(id, ["waiting"]);
    await expect(page).not.toHaveTitle(/● needs you/);
    await child.close();
  });
});

test.describe("two agents that need a yes", () => {
  const setMode = (mode: "on" | "ask") => ({ route: "PUT /tools/exec", body: { mode } });
  test.beforeEach(({ api }) => api.request(setMode("ask").route, setMode("ask").body));
  test.afterEach(({ api }) => api.request(setMode("on").route, setMode("on").body));

  for (const [button, state] of [
    ["Approve all 2", "completed"],
    ["Reject all 2", "denied"],
  ] as const) {
    test(`are answered together: ${button}`, async ({ page, api }) => {
      const { startChat, log, answers } = chatPage(page);
      const id = await startChat(
        `use ${spawn("Runner", "run `echo ran`")} and ${spawn("Checker", "run `echo checked`")}`,
      );
      const all = log.getByRole("group", { name: "All calls of all agents" });
      await expect(log.getByText("2 calls of 2 agents need approval")).toBeVisible();
      const { child_actions: actions } = await api.chat(id);
      await all.getByRole("button", { name: button }).click();
      for (const title of ["Runner", "Checker"]) {
        await expect(log.getByRole("group", { name: `${title} · Approval needed` })).toBeHidden();
        await expect(answers.filter({ hasText: `${title} has ended` })).toHaveCount(1);
      }
      await expect(all).toBeHidden();
      // This page has sent the answers, so it does not say that somebody else has.
      await expect(log.getByText(/: Answered /)).toHaveCount(0);
      expect(actions).toHaveLength(2);
      for (const { chat_id: agent } of actions) {
        const { messages } = await api.history(agent);
        const calls = messages.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === "tool_call" ? [part.state] : [])),
        );
        expect(calls).toEqual([state]);
      }
    });
  }
});

const crash = async (server: TestServer): Promise<void> => {
  await server.kill();
  await server.database.expireLeases();
  await server.start();
};

/** The labels of what was reported to a chat, in the order of the history. */
const listReports = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "report" ? part.label : [])),
  );

test("three agents, a yes and two crashes: each report comes once", async ({
  page,
  api,
  server,
}) => {
  await api.request("PUT /tools/exec", { mode: "ask" });
  const { startChat, log, answers } = chatPage(page);
  const titles = ["Reader", "Runner", "Writer"];
  const id = await startChat(
    `use ${spawn("Reader", "slow 100ms write 30 words")}, ${spawn("Runner", "run `echo ran`")} and ${spawn("Writer", "slow 200ms write 40 words")}`,
  );
  const form = log.getByRole("group", { name: "Runner · Approval needed" });
  await expect(form).toBeVisible();
  // Two agents are in the middle of their answers, and one waits for the person.
  await crash(server);
  await expect(form).toBeVisible();
  await form.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(form).toBeHidden();
  await expect(answers.filter({ hasText: "has ended" }).first()).toBeVisible();
  // At least one report has come, and others may be on their way.
  await crash(server);
  await api.request("PUT /tools/exec", { mode: "on" });
  await expect
    .poll(async () => listReports((await api.history(id)).messages).toSorted())
    .toEqual(titles);
  await api.waitForStatus(id, ["waiting"]);
  for (const title of titles) {
    await expect(answers.filter({ hasText: `${title} has ended` })).toHaveCount(1);
  }
  const { messages } = await api.history(id);
  expect(listReports(messages).toSorted()).toEqual(titles);
  const { body } = await api.request(`GET /chats/${id}/children`);
  expect((body as { data: unknown[] }).data).toHaveLength(3);
});
