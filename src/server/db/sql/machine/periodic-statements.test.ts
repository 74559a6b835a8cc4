import { v7 as newId } from "uuid";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { listExpiredChats } from "@/server/db/sql/reads/expired-chats";
import { listToolsetUses } from "@/server/db/sql/reads/runner-reads";
import { listParkedChats, readChatVersions } from "@/server/db/sql/reads/version-reads";
import { writeChat } from "@/test/chat-rows";
import { emptyTables, testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { recordPlan } from "@/test/record-plan";
import { listAbandonedQuestions } from "./abandoned-questions";
import { listAbandonedTasks } from "./abandoned-tasks";
import { listRestingAgents, listStalledQueues } from "./agent-sweeps";
import { listOverdueAgents } from "./agent-task-writes";
import { listExpiredClaims } from "./call-claims";
import { claimChats, listOrphanedChats, renewLeases } from "./claim";
import { findDueWork } from "./due-work";
import { listExpiredActions } from "./expired-actions";
import { listRestingChats } from "./resting-chats";

/** Chats at rest: what is done every second must not depend on how many there are. */
const CHATS = 3_000;

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await emptyTables(db, "chat");
  const origin = await writeChat(db, await createUser(db));
  const fill = {
    name: "test-fill-chats-at-rest",
    text: `INSERT INTO chat SELECT copy.* FROM chat AS origin,
      (SELECT gen_random_uuid() AS id FROM generate_series(1, $2::int)) AS given,
      LATERAL jsonb_populate_record(origin, jsonb_build_object('id', given.id, 'root_chat_id', given.id)) AS copy
      WHERE origin.id = $1::uuid`,
  };
  await db.query(fill, [origin, CHATS]);
  await db.query({ name: "test-analyze-chats-at-rest", text: "ANALYZE chat" }, []);
  // The next files of this worker have the same database.
  return async () => {
    await emptyTables(db, "chat");
    await db.query({ name: "test-analyze-chats-at-rest", text: "ANALYZE chat" }, []);
  };
});

const owner = "worker";
const leaseTokens = [newId()];
const STATEMENTS: Record<string, (explained: Database) => Promise<unknown>> = {
  "finds work": (explained) => findDueWork(explained),
  "claims chats": (explained) => claimChats(explained, { owner, limit: 2, full: [] }),
  "renews leases": (explained) => renewLeases(explained, { owner, leaseTokens }),
  "finds orphaned chats": (explained) => listOrphanedChats(explained, { owner, leaseTokens }),
  "finds chats with reports": (explained) => listRestingChats(explained, 10),
  "finds deadlines": (explained) => listExpiredActions(explained, { limit: 10, except: [] }),
  "finds lost claims": (explained) => listExpiredClaims(explained, { limit: 10, except: [] }),
  "finds abandoned questions": (explained) =>
    listAbandonedQuestions(explained, { owner, limit: 10 }),
  "finds abandoned tasks": (explained) => listAbandonedTasks(explained, { owner, limit: 10 }),
  "finds resting agents": (explained) => listRestingAgents(explained, 10),
  "finds stalled queues": (explained) =>
    listStalledQueues(explained, { limit: 10, maxRunning: 10 }),
  "finds overdue agents": (explained) =>
    listOverdueAgents(explained, { limit: 10, turnMinutes: 10 }),
  "finds expired chats": (explained) => listExpiredChats(explained),
  "lists parked chats": (explained) => listParkedChats(explained, { userId: newId() }),
  "watches chats": (explained) =>
    readChatVersions(explained, {
      chatIds: [newId()],
      parentIds: [newId()],
      audiences: ["user", "other"],
    }),
  "counts calls of a toolset": (explained) => listToolsetUses(explained, ["ops"]),
};

it.each(Object.entries(STATEMENTS))("what %s reads no chats at rest", async (_, run) => {
  const plan = await recordPlan(db, run);
  expect(plan).toContain("Scan");
  expect(plan).not.toMatch(/Seq Scan on (?:chat|message|part|task)\b/);
});

it("what finds expired chats reads temporary ones, and what works in them, by their indexes", async () => {
  const plan = await recordPlan(db, (explained) => listExpiredChats(explained));
  for (const index of ["chat_temporary_idx", "chat_parent_idx", "task_chat_id_created_at_idx"])
    expect(plan).toContain(index);
  expect(plan).not.toContain("chat_pkey");
});
