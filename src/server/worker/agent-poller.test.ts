import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { createChat } from "@/server/chat/create-chat";
import { listStalledQueues } from "@/server/db/sql/machine/agent-sweeps";
import { listAgents } from "@/server/db/tasks/agent-reads";
import type { Database } from "@/server/db/connection/database";
import { createLogger } from "@/server/log";
import { createNotifications, type Notifications } from "@/server/stream/notifications";
import { startTestAgent } from "@/test/agent-fixture";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer } from "@/test/park-chat";
import { createDuePoller } from "./due-poller";
import { createAgentPoller } from "./agent-poller";

let db: Database;
let pollers: ReturnType<typeof createAgentPoller>[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(async () => {
  await Promise.all(pollers.map((poller) => poller.stop()));
  pollers = [];
});

const SILENT: Pick<Notifications, "subscribeAllChildren"> = {
  subscribeAllChildren: () => () => undefined,
};

const startPoller = (notifications: typeof SILENT, checkMs: number): void => {
  const { saveArtifact } = createArtifactDeps({ db, newId });
  const log = createLogger("silent");
  const due = createDuePoller({ db, log, pollMs: checkMs });
  pollers.push(
    due,
    createAgentPoller({
      due,
      db,
      notifications,
      newId,
      saveArtifact,
      log,
      checkMs,
      agentLimits: DEFAULT_AGENT_LIMITS,
    }),
  );
};

/** A chat that rests while agents work for it. */
const startAgents = async (count: number) => {
  const ctx = await createTestContext(db);
  const { id: chatId } = await createChat(ctx, { content: toTextContent("hello") });
  await commitAnswer(db, chatId, { parts: [{ type: "text", text: "Later." }], after: "finish" });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await startTestAgent(db, { chatId }));
  return { chatId, ids };
};

const answer = (agentId: string, text: string) =>
  commitAnswer(db, agentId, { parts: [{ type: "text", text }], after: "finish" });

const getStates = async (chatId: string) =>
  (await listAgents(db, chatId)).map(({ task }) => task.state).toSorted();

const getReports = async (chatId: string) =>
  (await readWholeHistory(db, chatId)).filter(({ role }) => role === "event");

/** Longer than a test takes. */
const NEVER_MS = 600_000;
/** How long an agent may work. */
const MAX_SECONDS = DEFAULT_AGENT_LIMITS.turnMinutes * 60;

const AGE = {
  name: "test-age-agent",
  text: `UPDATE task SET started_at = now() - make_interval(secs => $2) WHERE agent_chat_id = $1::uuid`,
};

const END_TASK = {
  name: "test-end-agent-task",
  text: `UPDATE task SET state = 'failed', report = '{"output":"","for_user":null,"artifacts":[]}', ended_at = now(),
    end_position = 0, delivered_at = now() WHERE agent_chat_id = $1::uuid`,
};

describe("the poller of agents", () => {
  it("gives the report of an agent to its chat when it is told", async () => {
    const { chatId, ids } = await startAgents(1);
    const notifications = createNotifications(db);
    await notifications.ready();
    startPoller(notifications, NEVER_MS);
    await answer(ids[0] ?? "", "It is 42.");
    await expect.poll(() => readChat(db, chatId)).toMatchObject({ status: "pending" });
    await notifications.close();
  });

  it("does so without being told, and once for all processes", async () => {
    const { chatId, ids } = await startAgents(1);
    await answer(ids[0] ?? "", "It is 42.");
    await answer(await startTestAgent(db, { chatId }), "It is 43.");
    startPoller(SILENT, 20);
    startPoller(SILENT, 20);
    await expect.poll(() => getStates(chatId)).toEqual(["completed", "completed"]);
    const chat = await readChat(db, chatId);
    const entered = (await getReports(chatId)).flatMap(({ parts }) => parts);
    expect(entered.length + chat.reportCount).toBe(2);
    expect(chat.status).toBe("pending");
  });

  it("stops an agent that has worked for too long, and only that", async () => {
    const { chatId, ids } = await startAgents(2);
    await db.query(AGE, [ids[0] ?? "", MAX_SECONDS + 1]);
    await db.query(AGE, [ids[1] ?? "", MAX_SECONDS - 60]);
    startPoller(SILENT, 20);
    await expect.poll(() => readChat(db, ids[0] ?? "")).toMatchObject({ status: "interrupting" });
    expect(await readChat(db, ids[1] ?? "")).toMatchObject({ status: "pending" });
    expect(await getStates(chatId)).toEqual(["running", "running"]);
  });

  it("starts queued agents when the process has died that should have", async () => {
    const { chatId, ids } = await startAgents(DEFAULT_AGENT_LIMITS.running + 1);
    expect(await getStates(chatId)).toContain("queued");
    await db.query(END_TASK, [ids[0] ?? ""]);
    startPoller(SILENT, 20);
    await expect.poll(() => getStates(chatId)).not.toContain("queued");
    expect(await readChat(db, ids.at(-1) ?? "")).toMatchObject({ agentQueued: false });
  });

  it("finds queues that stand behind those of chats in which as many run as may", async () => {
    await startAgents(DEFAULT_AGENT_LIMITS.running + 1);
    const { chatId, ids } = await startAgents(DEFAULT_AGENT_LIMITS.running + 1);
    await db.query(END_TASK, [ids[0] ?? ""]);
    const stalled = await listStalledQueues(db, {
      limit: 1,
      maxRunning: DEFAULT_AGENT_LIMITS.running,
    });
    expect(stalled).toEqual([chatId]);
  });
});
