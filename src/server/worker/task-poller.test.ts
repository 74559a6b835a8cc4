import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { createChat } from "@/server/chat/create-chat";
import type { Database } from "@/server/db/connection/database";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import { listTasks } from "@/server/db/tasks/task-reads";
import { createLogger } from "@/server/log";
import { createNotifications } from "@/server/stream/notifications";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { commitAnswer } from "@/test/park-chat";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { emptyTables, testDatabase } from "@/test/database";
import { beginTestTask } from "@/test/task-fixture";
import { createDuePoller } from "./due-poller";
import { createTaskPoller } from "./task-poller";

let db: Database;
let pollers: { stop: () => Promise<void> }[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
// A sweep takes the oldest tasks first, also those that other tests of the process have left.
beforeEach(() => emptyTables(db, "chat"));
afterEach(async () => {
  await Promise.all(pollers.map((poller) => poller.stop()));
  pollers = [];
});

const startPoller = (owner = newId()): void => {
  const notifications = createNotifications(db);
  const log = createLogger("silent");
  const due = createDuePoller({ db, log, pollMs: 20 });
  pollers.push(due, createTaskPoller({ db, notifications, owner, due, newId, log, checkMs: 20 }));
};

/** A chat that rests, with a task of a process. */
const rest = async (owner: string) => {
  const ctx = await createTestContext(db);
  const { id: chatId } = await createChat(ctx, { content: toTextContent("hello") });
  await commitAnswer(db, chatId, { parts: [{ type: "text", text: "Later." }], after: "finish" });
  return { chatId, taskId: await beginTestTask(db, { chatId, owner }) };
};

const states = async (chatId: string) => (await listTasks(db, chatId)).map(({ state }) => state);

const FALL_SILENT = {
  name: "test-fall-silent",
  text: `UPDATE worker SET seen_at = now() - interval '31 seconds' WHERE owner = $1`,
};

describe("the poller of tasks", () => {
  it("ends the tasks of a process that has died as unknown, once, and wakes their chat", async () => {
    const owner = newId();
    await recordHeartbeat(db, owner);
    const { chatId } = await rest(owner);
    await db.query(FALL_SILENT, [owner]);
    startPoller();
    startPoller();
    await expect.poll(() => readChat(db, chatId)).toMatchObject({ status: "pending" });
    expect(await states(chatId)).toEqual(["unknown"]);
    const reports = (await readWholeHistory(db, chatId)).filter(({ role }) => role === "event");
    expect(reports).toHaveLength(1);
    expect(reports[0]?.parts[0]).toMatchObject({
      data: { output: expect.stringContaining("the server stopped") as string },
    });
  });

  it("leaves the tasks of a process that is alive", async () => {
    const owner = newId();
    await recordHeartbeat(db, owner);
    const alive = await rest(owner);
    const dead = await rest(newId());
    startPoller();
    await expect.poll(() => states(dead.chatId)).toEqual(["unknown"]);
    expect(await states(alive.chatId)).toEqual(["running"]);
  });

  it("wakes a chat that rests with a report, as its process died before it could", async () => {
    const { chatId, taskId } = await rest(newId());
    await db.query(
      {
        name: "test-keep-report",
        text: `WITH t AS (
            UPDATE task SET state = 'completed', ended_at = now(), end_position = revision,
              report = '{"output": "42", "for_user": null, "artifacts": []}' WHERE id = $1::uuid)
          UPDATE chat SET report_count = 1 WHERE id = $2::uuid`,
      },
      [taskId, chatId],
    );
    startPoller();
    await expect
      .poll(() => readChat(db, chatId))
      .toMatchObject({ status: "pending", reportCount: 0 });
  });
});
