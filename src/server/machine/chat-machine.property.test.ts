import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerContext } from "@/server/context";
import {
  type KnownHistory,
  readChangedHistory,
  readHistory,
} from "@/server/db/sql/reads/message-reads";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { createTestContext } from "@/test/chat-fixture";
import { createWatcher } from "@/test/alternatives";
import { attempt, expectInvariants } from "@/test/chat-invariants";
import { toHistory } from "@/test/chat-probe";
import { type CallKind, createWorld, type Op } from "@/test/chat-world";
import { testDatabase } from "@/test/database";
import { expectForks } from "@/test/expect-forks";

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
      busy: fc.constantFrom(
        "queue" as const,
        "interrupt" as const,
        "reject" as const,
        "steer" as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom(
        "edit" as const,
        "promote" as const,
        "steer" as const,
        "deleteQueued" as const,
        "choose" as const,
        "answerOne" as const,
        "expireOne" as const,
      ),
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom(
        "claimCall" as const,
        "answerClaimed" as const,
        "renewClaim" as const,
        "releaseClaim" as const,
        "loseLease" as const,
      ),
      pick,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom(
        "regenerate" as const,
        "continue" as const,
        "compact" as const,
        "clear" as const,
        "undo" as const,
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
        "steered" as const,
        "summarize" as const,
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

describe("random events from two workers and several clients", () => {
  it("never break an invariant", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOp, { minLength: 5, maxLength: 30 }), async (ops) => {
        const world = await createWorld(ctx);
        let before: ChatRow | undefined;
        let known: KnownHistory = { version: 0, history: [] };
        const client = createWatcher(ctx, world.id);
        for (const op of ops) {
          await attempt(() => world.run(op));
          before = await expectInvariants(db, world.id, before);
          const history = await readHistory(db, world.id);
          expect(toHistory(await readChangedHistory(db, world.id, known))).toEqual(history);
          await client.expectWhole();
          if (before.version % 4 === 0) known = { version: before.version, history };
        }
        await expectForks(ctx, world.id);
        await db.prisma.chat.delete({ where: { id: world.id } });
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 60) },
    );
  });
});
