import fc from "fast-check";
import { beforeAll, describe, it } from "vitest";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { createTestContext } from "@/test/chat-fixture";
import { attempt, expectInvariants } from "@/test/chat-invariants";
import type { CallKind } from "@/test/chat-world";
import { testDatabase } from "@/test/database";
import { createTaskWorld, type TaskOp } from "@/test/task-world";

let db: Database;
let ctx: ServerContext;
beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const pick = fc.nat(3);
const worker = fc.constantFrom(0 as const, 1 as const);
const ops = <const Name extends string>(...names: Name[]) => fc.constantFrom(...names);

const calls = fc.array(fc.constantFrom<CallKind[]>("builtin", "dynamic", "wait"), { maxLength: 2 });
const anyOp: fc.Arbitrary<TaskOp> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ op: ops("step"), worker, spawns: fc.nat(2), calls }),
  },
  { weight: 2, arbitrary: fc.record({ op: ops("commit"), worker, calls }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: ops("claim", "settle", "waitForAgents", "spawn", "takeReports", "interrupted"),
      worker,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: ops("fail", "release"), worker }) },
  { weight: 9, arbitrary: fc.record({ op: ops("endTask", "restAgent", "endAgent"), pick }) },
  { weight: 1, arbitrary: fc.record({ op: ops("edit", "promote", "deleteQueued"), pick }) },
  { weight: 3, arbitrary: fc.record({ op: ops("choose"), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: ops("send"), busy: ops("queue", "interrupt", "reject") }),
  },
  { weight: 5, arbitrary: fc.record({ op: ops("beginTask", "wake", "answer") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: ops(
        ...(["regenerate", "continue", "interrupt"] as const),
        ...(["archive", "unarchive", "expire", "crash"] as const),
      ),
    }),
  },
);

describe("random events of tasks and agents, workers and clients", () => {
  it("never break an invariant", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOp, { minLength: 10, maxLength: 40 }), async (list) => {
        const world = await createTaskWorld(ctx);
        let before: ChatRow | undefined;
        for (const op of list) {
          await attempt(() => world.run(op));
          before = await expectInvariants(db, world.id, before);
          await world.expectTaskInvariants();
        }
        await db.prisma.chat.delete({ where: { id: world.id } });
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });
});
