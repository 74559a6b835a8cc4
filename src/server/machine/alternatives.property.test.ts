import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import {
  type KnownHistory,
  readChangedHistory,
  readHistory,
} from "@/server/db/sql/reads/message-reads";
import { createWatcher } from "@/test/alternatives";
import { createTestContext } from "@/test/chat-fixture";
import { attempt, expectInvariants } from "@/test/chat-invariants";
import { toHistory } from "@/test/chat-probe";
import { createWorld, type Op } from "@/test/chat-world";
import { testDatabase } from "@/test/database";
import { expectForks } from "@/test/expect-forks";

const worker = 0;
const claim: Op = { op: "claim", worker };
const steer: Op = { op: "send", busy: "steer" };
const steered: Op = { op: "steered", worker };
const settle: Op = { op: "settle", worker };
const summarize: Op = { op: "summarize", worker };
const answer: Op = { op: "commit", worker, calls: [] };
const call: Op = { op: "commit", worker, calls: ["builtin"] };

/** What happens to a chat until it rests again, or is left in the middle of a turn. */
const TURNS: Op[][] = [
  [claim, answer],
  [claim, call, settle, answer],
  [steer, claim, steered, answer],
  [claim, call, steer, settle, steered, answer],
  [claim, call, settle, summarize, answer],
  [claim, summarize, answer],
  [claim, { op: "fail", worker }],
  [claim, call, settle, { op: "fail", worker }],
  [claim, { op: "interrupt" }, { op: "interrupted", worker }],
  [claim, call],
];
const CHANGES: Op[][] = [
  [{ op: "clear" }],
  [{ op: "undo" }],
  [{ op: "continue" }],
  [{ op: "compact" }, claim, summarize],
];

const pick = fc.nat(8);
const turn = fc.constantFrom(...TURNS);
const picked = (op: "edit" | "choose") => pick.map((number): Op[] => [{ op, pick: number }]);
const thenTurn = (begin: fc.Arbitrary<Op[]>) =>
  fc.tuple(begin, turn).map(([first, rest]) => [...first, ...rest]);
const anyOps = fc.oneof(
  { weight: 3, arbitrary: turn },
  { weight: 3, arbitrary: thenTurn(fc.constant([{ op: "send", busy: "queue" }])) },
  { weight: 4, arbitrary: thenTurn(fc.constant([{ op: "regenerate" }])) },
  { weight: 4, arbitrary: thenTurn(picked("edit")) },
  { weight: 1, arbitrary: picked("edit") },
  { weight: 1, arbitrary: fc.constant<Op[]>([{ op: "regenerate" }]) },
  { weight: 8, arbitrary: picked("choose") },
  { weight: 2, arbitrary: fc.constantFrom(...CHANGES) },
);

let db: Database;
let ctx: ServerContext;
beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

describe("alternatives of random edits, answers, choices and boundaries", () => {
  it("come back as they were, and are in no prompt, page or stream until then", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOps, { minLength: 4, maxLength: 14 }), async (ops) => {
        const world = await createWorld(ctx);
        const watcher = createWatcher(ctx, world.id);
        let before: ChatRow | undefined;
        let known: KnownHistory = { version: 0, history: [] };
        for (const op of ops.flat()) {
          await attempt(() => world.run(op));
          before = await expectInvariants(db, world.id, before);
          await watcher.expectWhole();
          const history = await readHistory(db, world.id);
          expect(toHistory(await readChangedHistory(db, world.id, known))).toEqual(history);
          if (before.version % 5 === 0) known = { version: before.version, history };
        }
        await expectForks(ctx, world.id);
        await db.prisma.chat.delete({ where: { id: world.id } });
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 60) },
    );
  }, 240_000);
});
