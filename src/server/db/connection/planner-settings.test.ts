import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/test/database";
import type { Database } from "./database";
import { PLANNER_SETTINGS } from "./planner-settings";
import { readableSql, toViewerValue } from "@/server/db/chats/viewer";

describe("a session", () => {
  let db: Database;
  beforeAll(async () => {
    db = await testDatabase();
  });

  it("has the planner settings", async () => {
    for (const [name, value] of Object.entries(PLANNER_SETTINGS)) {
      const text = `SELECT current_setting('${name}') AS value`;
      expect(await db.query({ name: `test-${name}`, text }, [])).toEqual([{ value }]);
    }
  });

  it("finds an owner's chat by its id, not among all chats of the owner", async () => {
    const text = `EXPLAIN SELECT version FROM chat WHERE id = $1::uuid AND ${readableSql("$2", "chat")}`;
    const plan = await db.query<Record<string, string>>({ name: "test-explain-owned", text }, [
      newId(),
      toViewerValue({ userId: "a user" }),
    ]);
    expect(plan.flatMap((row) => Object.values(row)).join("\n")).toContain("using chat_pkey");
  });

  it("finds expired actions by the index of deadlines, as Prisma asks for them", async () => {
    const text = `EXPLAIN SELECT id FROM chat
      WHERE status = CAST($1::text AS chat_status) AND action_deadline_at < $2
      ORDER BY action_deadline_at LIMIT $3 OFFSET $4`;
    const plan = await db.query<Record<string, string>>({ name: "test-explain-expired", text }, [
      "requires_action",
      new Date(),
      10,
      0,
    ]);
    expect(plan.flatMap((row) => Object.values(row)).join("\n")).toContain(
      "using chat_action_deadline_idx",
    );
  });
});
