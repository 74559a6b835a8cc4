import { beforeAll, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
import type { Database } from "@/server/db/connection/database";
import { listStartedSessions } from "./exec-session-reads";
import { deleteWorker, holdSessions, listHeldChats, releaseSessions } from "./session-holds";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";

let db: Database;
let userId: string;
beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
});

const leasedChat = async (owner: string): Promise<string> => {
  const chatId = await writeChat(db, userId, { status: "running" });
  await db.query(
    { name: "test-lease", text: "UPDATE chat SET lease_owner = $2 WHERE id = $1::uuid" },
    [chatId, owner],
  );
  return chatId;
};

it("holds only chats that the worker works on, and releases its own", async () => {
  const chatId = await leasedChat("mine");
  const other = await leasedChat("other");
  expect(await holdSessions(db, { owner: "mine", chatId: other })).toBeUndefined();
  expect(await holdSessions(db, { owner: "mine", chatId })).toEqual({ renewed: false });
  const chatIds = [chatId, other];
  expect(await listHeldChats(db, { owner: "mine", chatIds })).toEqual(new Set([chatId]));
  await releaseSessions(db, { owner: "other", chatIds });
  expect(await listHeldChats(db, { owner: "mine", chatIds })).toEqual(new Set([chatId]));
  await releaseSessions(db, { owner: "mine", chatIds });
  expect(await listHeldChats(db, { owner: "mine", chatIds })).toEqual(new Set());
});

it("keeps one row for each worker that is alive, and drops those of a day ago", async () => {
  await recordHeartbeat(db, "a");
  await recordHeartbeat(db, "b");
  await db.query(
    {
      name: "test-age",
      text: "UPDATE worker SET seen_at = now() - interval '25 hours' WHERE owner = 'b'",
    },
    [],
  );
  await recordHeartbeat(db, "a");
  const owners = async () =>
    (await db.prisma.worker.findMany({ where: { owner: { in: ["a", "b"] } } })).map(
      ({ owner }) => owner,
    );
  expect(await owners()).toEqual(["a"]);
  await deleteWorker(db, "a");
  expect(await owners()).toEqual([]);
});

it("finds the sessions that a chat's calls have started", async () => {
  const chatId = await writeChat(db, userId);
  const other = await writeChat(db, userId);
  let calls = 0;
  const exec = (args: JsonValue, output: JsonValue) =>
    toolCall({
      toolCallId: `call_${++calls}`,
      toolName: "exec",
      kind: "builtin",
      state: "completed",
      args,
      output,
    });
  const started = (id: string) => ({
    session_id: id,
    status: "running",
    output: "",
    duration_ms: 1,
  });
  const parts = [
    exec({ action: "run", command: "one", background: true }, started("1")),
    exec({ action: "run", command: "ls" }, { status: "exited", output: "", duration_ms: 1 }),
    exec({ action: "poll", session_id: "9" }, started("9")),
    exec({ action: "run", command: "two", pty: true }, started("2")),
    exec({ action: "run", command: "bad" }, "a text"),
  ];
  await writeMessage(db, chatId, { seq: 1, role: "assistant", parts });
  expect(await listStartedSessions(db, chatId)).toEqual([
    { sessionId: "2", args: { action: "run", command: "two", pty: true } },
    { sessionId: "1", args: { action: "run", command: "one", background: true } },
  ]);
  expect(await listStartedSessions(db, other)).toEqual([]);
});
