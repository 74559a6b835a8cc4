import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as newId } from "uuid";
import { afterEach, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import type { Database } from "@/server/db/connection/database";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { createLogger } from "@/server/log";
import { createNotifications, type Notifications } from "@/server/stream/notifications";
import { trackAlone } from "@/server/tools/workspace/tracked-disk";
import { createCommandLimits } from "@/server/exec/sandbox/limits";
import { startCommand } from "@/server/exec/command";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { deleteChat } from "@/server/chat/delete-chat";
import { writeChat } from "@/test/chat-rows";
import { createContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { findTestSandbox } from "@/test/exec-fixture";
import { createUser } from "@/test/factories";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";
import { createHeldCalls } from "@/server/mcp/questions/held-calls";
import { createSessionPoller } from "./session-poller";

let db: Database;
let userId: string;
let sandbox: Sandbox;
let notifications: Notifications;
beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  sandbox = await findTestSandbox();
  await sandbox.prepareWorkspace(directory);
  notifications = createNotifications(db);
});

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

let workers = 0;
const createSessions = (
  owner = `sessions-${process.pid}-${(workers += 1)}`,
  changes: Partial<Parameters<typeof createSessionPoller>[0]> = {},
) => {
  const poller = createSessionPoller({
    db,
    notifications,
    owner,
    newId,
    log: createLogger("silent"),
    createHeldCalls,
    heartbeatMs: 60_000,
    ...changes,
  });
  cleanups.push(poller.stop);
  return { ...poller, owner };
};

/** A chat that a worker holds. */
const leasedChat = async (owner: string): Promise<string> => {
  const chatId = await writeChat(db, userId, { status: "running" });
  await lease(chatId, owner);
  return chatId;
};
const lease = (chatId: string, owner: string) =>
  db.query({ name: "test-lease", text: "UPDATE chat SET lease_owner = $2 WHERE id = $1::uuid" }, [
    chatId,
    owner,
  ]);

const directory = mkdtempSync(path.join(os.tmpdir(), "parley-sessions-"));
const sleep = () =>
  startCommand(sandbox, {
    text: "sleep 100",
    pty: false,
    hasInput: true,
    timeoutSeconds: 0,
    limits: createCommandLimits(),
    env: {},
    workspace: {
      directory,
      cwd: "",
      maxBytes: 1_000_000,
      measure: () => Promise.resolve(0),
      track: trackAlone,
    },
  });

const sessionOwner = async (chatId: string) =>
  (await db.prisma.chat.findUnique({ where: { id: chatId } }))?.sessionOwner;
const workerCount = (owner: string) => db.prisma.worker.count({ where: { owner } });

it("holds the chat of its first session, and releases it when it stops", async () => {
  const { sessions, owner, stop } = createSessions();
  const chatId = await leasedChat(owner);
  const { command } = await sessions.add(chatId, sleep);
  expect(await sessionOwner(chatId)).toBe(owner);
  expect(await workerCount(owner)).toBe(1);
  await stop();
  expect(command.state().status).toBe("killed");
  expect(await sessionOwner(chatId)).toBeNull();
  expect(await workerCount(owner)).toBe(0);
});

it("starts no session for a chat that another worker has", async () => {
  const { sessions } = createSessions();
  const chatId = await leasedChat("another");
  await expect(sessions.add(chatId, sleep)).rejects.toThrow("no longer worked on here");
  expect(sessions.list(chatId)).toEqual([]);
  expect(await sessionOwner(chatId)).toBeNull();
});

it("releases a chat later when that has failed", async () => {
  let failures = 0;
  const query: Database["query"] = (statement, values) => {
    if (statement.name !== "release-sessions" || failures > 0) return db.query(statement, values);
    failures += 1;
    return Promise.reject(new Error("the database is away"));
  };
  const { sessions, owner } = createSessions(undefined, { db: { ...db, query }, heartbeatMs: 50 });
  const chatId = await leasedChat(owner);
  await sessions.add(chatId, sleep);
  sessions.endChat(chatId);
  await expect.poll(() => sessionOwner(chatId)).toBeNull();
  expect(failures).toBe(1);
});

it.each([
  [
    "is interrupted",
    async (chatId: string) => void (await interruptChat(createContext(db, userId), { chatId })),
  ],
  [
    "is interrupted while it is parked",
    async (chatId: string) => {
      await db.query(
        {
          name: "test-park",
          text: `UPDATE chat SET status = 'requires_action', lease_owner = NULL,
            action_deadline_at = now() + interval '1 day' WHERE id = $1::uuid`,
        },
        [chatId],
      );
      await interruptChat(createContext(db, userId), { chatId });
    },
  ],
  [
    "is deleted",
    async (chatId: string) => {
      await db.query(
        {
          name: "test-rest",
          text: "UPDATE chat SET status = 'waiting', lease_owner = NULL WHERE id = $1::uuid",
        },
        [chatId],
      );
      await deleteChat(createContext(db, userId), { chatId });
    },
  ],
])("ends the sessions of a chat that %s", async (_name, act) => {
  const { sessions, owner } = createSessions();
  const [chatId, other] = [await leasedChat(owner), await leasedChat(owner)];
  const { command } = await sessions.add(chatId, sleep);
  const { command: kept } = await sessions.add(other, sleep);
  await act(chatId);
  await expect.poll(() => command.state().status).toBe("killed");
  expect(sessions.has(chatId)).toBe(false);
  expect(kept.state().status).toBe("running");
});

it("ends what an interrupted turn has left when the next turn starts a session", async () => {
  const { sessions, owner } = createSessions();
  const chatId = await leasedChat(owner);
  const { command } = await sessions.add(chatId, sleep);
  // As if the notification of the interruption were lost.
  await db.query(
    { name: "test-clear", text: "UPDATE chat SET session_owner = NULL WHERE id = $1::uuid" },
    [chatId],
  );
  const { id } = await sessions.add(chatId, sleep);
  await command.ended;
  expect(sessions.list(chatId).map((session) => session.id)).toEqual([id]);
  expect(await sessionOwner(chatId)).toBe(owner);
});

/** A chat that is parked with a question, which a poller keeps. */
const createChatWithQuestion = async () => {
  const poller = createSessions("test");
  const ended = Promise.withResolvers<undefined>();
  const asking: Tool = {
    ...defineTool({
      name: "asking",
      description: "Asks.",
      input: z.object({}),
      run: async ({ elicit, signal }) => {
        signal.addEventListener("abort", () => ended.resolve(undefined));
        const schema = { type: "object", properties: {} };
        const answer = await elicit({ message: "?", requested_schema: schema }, signal);
        return toolResult(answer.action);
      },
    }),
    kind: "mcp",
  };
  const fixture = await createTurnFixture({
    tools: [asking],
    steps: [[...toolCallParts("call", "asking", {}), finishPart("tool-calls")], textStep("done")],
  });
  await fixture.run({ heldCalls: poller.heldCalls });
  const readCall = async () => (await fixture.history()).at(-1)?.parts[0];
  return { poller, fixture, ended: ended.promise, readCall };
};

it("cancels a call that waits for a person when its chat is interrupted", async () => {
  const { fixture, ended, poller } = await createChatWithQuestion();
  expect(await sessionOwner(fixture.chatId)).toBe("test");
  await interruptChat(fixture.ctx, fixture);
  await ended;
  expect(poller.heldCalls.hasChat(fixture.chatId)).toBe(false);
});

it("closes its questions when it stops, and leaves those of a worker that lives", async () => {
  const { fixture, ended, poller, readCall } = await createChatWithQuestion();
  await createSessions().stop();
  expect(await readCall()).toMatchObject({ state: "awaiting_result" });
  await poller.stop();
  await ended;
  expect(await readCall()).toMatchObject({
    state: "error",
    isError: true,
    output: expect.stringContaining("Unknown: the server stopped") as string,
  });
  expect(await fixture.chat()).toMatchObject({ status: "pending", sessionOwner: null });
});
