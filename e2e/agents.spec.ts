import type { Page } from "@playwright/test";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

/** Takes over a minute. */
const LONG_WORK = "slow 1s story";
/** Ends during the test, but not before the person has written. */
const WORK = "slow 300ms write 20 words";
const WAITING_TEXT = "Waiting for agents. A message ends the wait.";
const SETTLE_TIMEOUT_MS = 20_000;

const status = (page: Page) => page.getByRole("status").filter({ hasText: WAITING_TEXT });

/** The agents of a chat in the sidebar; other chats have agents of the same names. */
const agentLink = (page: Page, chatId: string, title: string) =>
  chatPage(page)
    .chatList.getByRole("listitem")
    .filter({ has: page.locator(`a[href="/chats/${chatId}"]`) })
    .getByRole("link", { name: title });

test("reports of agents come after the turn, and an agent has a page", async ({ page, api }) => {
  const { startChat, answers } = chatPage(page);
  const id = await startChat("spawn 3 agents to write 5 words");
  await expect(answers.filter({ hasText: "All 3 tools have answered" })).toHaveCount(1);
  for (const title of ["Agent 1", "Agent 2", "Agent 3"]) {
    await expect(answers.filter({ hasText: `${title} has ended` })).toHaveCount(1);
  }
  await api.waitForStatus(id, SETTLE_TIMEOUT_MS, ["waiting"]);
  await agentLink(page, id, "Agent 2").click();
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
  await api.waitForStatus(id, SETTLE_TIMEOUT_MS, ["waiting"]);
  await expect(status(page)).toBeHidden();
  // Their work would take far longer than this waits.
  for (const title of ["Agent 1", "Agent 2"]) {
    const href = await agentLink(page, id, title).getAttribute("href");
    await api.waitForStatus(href?.split("/").at(-1) ?? "", SETTLE_TIMEOUT_MS, ["waiting"]);
  }
});
