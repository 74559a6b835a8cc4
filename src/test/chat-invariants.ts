import { expect } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { getLocalCalls } from "@/server/turn/decide-next";
import { buildPrompt } from "@/server/turn/prompt/build-prompt";
import type { Database } from "@/server/db/connection/database";
import { toModelHistory } from "@/server/machine/model-history";
import { type ChatRow, waitsForClient } from "@/server/db/chats/rows";
import { classify } from "@/server/machine/table/chat-state";
import { readChat, readWholeHistory } from "./chat-probe";
import { OPEN } from "./chat-world";
import { findPromptProblems } from "./prompt-problems";

/** Runs one action; a refusal of the machine is an answer like any other. */
export const attempt = async (action: () => Promise<unknown>): Promise<void> => {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
};

/** Checks the invariants of a chat after an action. */
export const expectInvariants = async (
  db: Database,
  id: string,
  before: ChatRow | undefined,
): Promise<ChatRow> => {
  const chat = await readChat(db, id);
  const history = await readWholeHistory(db, id);
  const queued = await db.prisma.queuedMessage.count({ where: { chatId: id } });
  expect(classify(chat)).not.toBe("invalid");
  expect(chat.queuedCount).toBe(queued);
  if (chat.queuePaused) expect(queued).toBeGreaterThan(0);
  expect(chat.version).toBeGreaterThanOrEqual(before?.version ?? 1);
  expect(history.map(({ seq }) => seq)).toEqual(
    [...new Set(history.map(({ seq }) => seq))].toSorted((a, b) => a - b),
  );
  expect(Math.max(...history.map(({ revision }) => revision))).toBeLessThanOrEqual(
    chat.historyVersion,
  );
  const open = history.map((message) => getLocalCalls(message).filter((c) => OPEN.has(c.state)));
  expect(open.slice(0, -1).flat()).toEqual([]);
  for (const part of history.flatMap(getLocalCalls)) {
    expect(OPEN.has(part.state)).toBe(part.completedAt === null);
    const hasOutput = !OPEN.has(part.state) || part.state === "awaiting_agents";
    expect(hasOutput).toBe(part.output !== undefined);
  }
  // No other call has a claim, and a claim is of one run of those that its tool allows.
  const claims = await db.prisma.callClaim.findMany({ where: { chatId: id } });
  const claimable = (open.at(-1) ?? []).filter(
    ({ kind, state }) => kind === "dynamic" && state === "awaiting_result",
  );
  const claimableIds = new Set(claimable.map(({ toolCallId }) => toolCallId));
  for (const { toolCallId, attempt, maxAttempts } of claims) {
    expect(claimableIds).toContain(toolCallId);
    expect(attempt).toBeLessThanOrEqual(maxAttempts);
  }
  const awaits = (open.at(-1) ?? []).some(({ state }) => state === "awaiting_result");
  if (chat.status === "requires_action") {
    expect(awaits).toBe(true);
    expect(chat.leaseToken).toBeNull();
    // That of the call that expires first.
    const deadlines = (open.at(-1) ?? [])
      .filter(waitsForClient)
      .map(({ deadlineAt }) => deadlineAt?.getTime() ?? Number.NaN);
    expect(chat.actionDeadlineAt?.getTime()).toBe(Math.min(...deadlines));
  } else if (chat.status === "awaiting_agents") {
    expect(new Set((open.at(-1) ?? []).map(({ state }) => state))).toEqual(
      new Set(["awaiting_agents"]),
    );
    expect(chat.leaseToken).toBeNull();
    expect(chat.actionDeadlineAt).not.toBeNull();
  } else expect(chat.actionDeadlineAt).toBeNull();
  if (chat.status === "waiting" || chat.status === "pending") {
    // A worker that gave the chat back leaves calls behind; they are settled before any parking.
    const left = open.at(-1) ?? [];
    const unsettled =
      chat.status === "pending" &&
      left.some((c) => c.state === "running" || c.state === "awaiting_agents");
    expect(unsettled ? [] : left).toEqual([]);
    expect(chat.leaseToken).toBeNull();
  }
  expect(chat.lastError === null).toBe(chat.status !== "error");
  if (chat.status === "error") expect(open.at(-1) ?? []).toEqual([]);
  if (chat.notBefore !== null) expect(chat).toMatchObject({ status: "pending", leaseToken: null });
  if (chat.status !== "running") expect(chat.retry === null).toBe(chat.notBefore === null);
  if (chat.compaction?.status === "requested") {
    expect(["pending", "running", "interrupting"]).toContain(chat.status);
  } else if (chat.status === "pending" && (open.at(-1) ?? []).length === 0) {
    const read = toModelHistory(history);
    const prompt = buildPrompt({ system: ["s"], history: read, model: "scripted/scripted" });
    expect(findPromptProblems(prompt)).toEqual([]);
  }
  return chat;
};
