import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { readChangedHistory, readHistory } from "@/server/db/sql/message-reads";
import type { KnownHistory } from "@/server/db/recent-histories";
import type { Database } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";
import { createTestContext } from "@/test/chat-fixture";
import { toHistory, readChat, readWholeHistory } from "@/test/chat-probe";
import { type CallKind, createWorld, OPEN, type Op } from "@/test/chat-world";
import { testDatabase } from "@/test/database";
import { findPromptProblems } from "@/test/prompt-problems";
import { classify } from "@/server/state-machine/chat-state";
import { getLocalCalls } from "./decide-next";
import { buildPrompt } from "./prompt/build-prompt";

const worker = fc.constantFrom(0 as const, 1 as const);
const pick = fc.nat(3);
const claim = fc.record({ op: fc.constant("claim" as const), worker });
const commit = fc.record({
  op: fc.constant("commit" as const),
  worker,
  calls: fc.array(fc.constantFrom<CallKind[]>("builtin", "dynamic", "question", "refused"), {
    maxLength: 3,
  }),
});
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: claim },
  { weight: 5, arbitrary: commit },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("send" as const),
      busy: fc.constantFrom("queue" as const, "interrupt" as const, "reject" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom("edit" as const, "promote" as const, "deleteQueued" as const),
      pick,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom(
        "regenerate" as const,
        "continue" as const,
        "interrupt" as const,
        "answer" as const,
        "archive" as const,
        "unarchive" as const,
        "expire" as const,
        "abandon" as const,
        "withdraw" as const,
        "crash" as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constantFrom(
        "settle" as const,
        "interrupted" as const,
        "fail" as const,
        "retry" as const,
        "defer" as const,
        "release" as const,
      ),
      worker,
    }),
  },
);

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

/** Runs one action; a refusal of the machine is an answer like any other. */
const attempt = async (action: () => Promise<unknown>): Promise<void> => {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
};

/** Checks the invariants of a chat after an action. */
const expectInvariants = async (id: string, before: ChatRow | undefined): Promise<ChatRow> => {
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
    expect(OPEN.has(part.state)).toBe(part.output === undefined);
  }
  const awaits = (open.at(-1) ?? []).some(({ state }) => state === "awaiting_result");
  if (chat.status === "requires_action") {
    expect(awaits).toBe(true);
    expect(chat.leaseToken).toBeNull();
    expect(chat.actionDeadlineAt).not.toBeNull();
  } else expect(chat.actionDeadlineAt).toBeNull();
  if (chat.status === "waiting" || chat.status === "pending") {
    // A worker that gave the chat back leaves calls behind; they are settled before any parking.
    const left = open.at(-1) ?? [];
    const unsettled = chat.status === "pending" && left.some((c) => c.state === "running");
    expect(unsettled ? [] : left).toEqual([]);
    expect(chat.leaseToken).toBeNull();
  }
  expect(chat.lastError === null).toBe(chat.status !== "error");
  if (chat.status === "error") expect(open.at(-1) ?? []).toEqual([]);
  if (chat.notBefore !== null) expect(chat).toMatchObject({ status: "pending", leaseToken: null });
  if (chat.status !== "running") expect(chat.retry === null).toBe(chat.notBefore === null);
  if (chat.status === "pending" && (open.at(-1) ?? []).length === 0) {
    const prompt = buildPrompt({ system: ["s"], history, model: "scripted/scripted" });
    expect(findPromptProblems(prompt)).toEqual([]);
  }
  return chat;
};

describe("random events from two workers and several clients", () => {
  it("never break an invariant", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOp, { minLength: 5, maxLength: 30 }), async (ops) => {
        const world = await createWorld(ctx);
        let before: ChatRow | undefined;
        let known: KnownHistory = { version: 0, history: [] };
        for (const op of ops) {
          await attempt(() => world.run(op));
          before = await expectInvariants(world.id, before);
          const history = await readHistory(db, world.id);
          expect(toHistory(await readChangedHistory(db, world.id, known))).toEqual(history);
          if (before.version % 4 === 0) known = { version: before.version, history };
        }
        await db.prisma.chat.delete({ where: { id: world.id } });
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 60) },
    );
  });
});
