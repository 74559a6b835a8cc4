import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Registry } from "prom-client";
import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AwaitedAgents } from "@/contract/agent";
import { DomainError } from "@/contract/domain-error";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { createChat } from "@/server/chat/create-chat";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { claimChats } from "@/server/db/sql/machine/claim";
import { createLogger } from "@/server/log";
import { createRecordMeter } from "@/server/metrics/meters";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { createNotifications, type Notifications } from "@/server/stream/notifications";
import { createPreviewRelay } from "@/server/stream/preview-relay";
import { calls } from "@/test/agent-turns";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { createTestTools } from "@/test/app-tools";
import { testDatabase } from "@/test/database";
import {
  createScriptedModel,
  finishPart,
  pendingForever,
  type ScriptedModel,
  type ScriptedStep,
  textParts,
  textStep,
} from "@/test/scripted-model";
import { NO_TASKS } from "@/test/tool-fixture";
import { createTestHeldCalls, createTurnFixture } from "@/test/turn-fixture";
import { interceptStatements } from "@/test/database-doubles";
import { testProcess } from "@/test/test-process";
import { createAgentPoller } from "./agent-poller";
import { createTurnDeps } from "@/server/app/create-turn-deps";
import { createDuePoller } from "./due-poller";
import { createWorker } from "./create-worker";

/** What is polled for is work of milliseconds. */
const OFTEN = { interval: 20 };
/** Longer than any test: what happens was caused by a notification. */
const NEVER_MS = 3_600_000;
/** As often as a test may wait for it. */
const SOON_MS = 50;
/** More calls of a model than a test makes. */
const MAX_CALLS = 80;

let db: Database;
let ctx: ServerContext;
let dataDir: string;
let notifications: Notifications;
let started: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-agents-"));
  notifications = createNotifications(db);
  await notifications.ready();
});
beforeEach(async () => {
  // A worker claims every chat that needs one, so chats of other tests must be gone.
  await db.prisma.chat.deleteMany();
});
afterEach(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
  started = [];
});
afterAll(async () => {
  await notifications.close();
  rmSync(dataDir, { recursive: true });
});

const delegate = calls({ id: "call", name: "delegate", args: { prompt: "Work.", title: "one" } });

/** A model whose chats delegate work and then say `So.`; what an agent answers is given. */
const createFamilyModel = (agentStep: ScriptedStep): ScriptedModel => {
  const step: ScriptedStep = ({ prompt }) => {
    if (JSON.stringify(prompt).includes("You are an agent")) return agentStep;
    return prompt.some(({ role }) => role === "tool") ? textStep("So.") : delegate;
  };
  return createScriptedModel(Array.from({ length: MAX_CALLS }, () => step));
};

type ProcessSetup = { owner?: string; on?: Database; pollMs?: number };

/** Starts a worker and what a process has for agents. */
const startProcess = (
  model: ScriptedModel,
  concurrency: number,
  { owner = "worker-1", on = db, pollMs = NEVER_MS }: ProcessSetup = {},
) => {
  const log = createLogger("silent");
  const { saveArtifact } = createArtifactDeps({ db, newId });
  const agentLimits = DEFAULT_AGENT_LIMITS;
  const { cached, recent, histories, activity } = testProcess(on);
  const deps = createTurnDeps({
    db: on,
    cached,
    recent,
    histories,
    relay: createPreviewRelay(),
    newId,
    log,
    agentLimits,
    tasks: NO_TASKS,
    models: createModelRegistry({}),
    tools: createTestTools(on, dataDir),
    heldCalls: createTestHeldCalls(db, owner),
    meter: createTurnMeter(createRecordMeter(new Registry()), []),
  });
  const scripted = {
    provider: "demo" as const,
    model: "scripted",
    label: "demo/scripted",
    contextLimit: null,
    prices: null,
    client: model,
  };
  const due = createDuePoller({ db: on, log, pollMs });
  const worker = createWorker({
    db: on,
    recent,
    activity,
    notifications,
    owner,
    concurrency,
    newId,
    log,
    createTurnDeps: (chat, stop) => ({
      ...deps(chat, stop),
      resolveModel: () => Promise.resolve(scripted),
    }),
    due,
    checkMs: pollMs,
    renewMs: pollMs,
    graceMs: 0,
  });
  const poller = createAgentPoller({
    db,
    notifications,
    newId,
    saveArtifact,
    log,
    agentLimits,
    checkMs: NEVER_MS,
    due,
  });
  const stop = async (): Promise<void> => {
    await Promise.all([due.stop(), worker.stop(), poller.stop()]);
  };
  started.push({ stop });
  return { stop };
};

const newChat = async (): Promise<string> =>
  (await createChat(ctx, { content: toTextContent("hello") })).id;

const getStatuses = (ids: readonly string[]) => async () =>
  new Set(await Promise.all(ids.map(async (id) => (await readChat(db, id)).status)));

/** Expects that the call of each chat has the report of its one agent, which has come nowhere else. */
const expectReports = async (ids: readonly string[], report: string): Promise<void> => {
  await expect.poll(getStatuses(ids), OFTEN).toEqual(new Set(["waiting"]));
  for (const id of ids) {
    const history = await readWholeHistory(db, id);
    expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    const [call] = history[1]?.parts.filter((part) => part.type === "tool_call") ?? [];
    expect(call).toMatchObject({ state: "completed", isError: false });
    expect(AwaitedAgents.parse(call?.output)).toMatchObject({
      timed_out: false,
      agents: [{ state: "completed", report }],
    });
    const tasks = await db.prisma.task.findMany({ where: { chatId: id } });
    expect(tasks).toMatchObject([{ state: "completed", deliveredAt: expect.any(Date) as Date }]);
  }
};

const END_LEASES = {
  name: "test-workers-end-leases",
  text: `UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE root_chat_id = $1::uuid`,
};

describe("a chat that waits for an agent", () => {
  it("holds no slot: 16 of them leave the only one to their agents", async () => {
    const allWait = Promise.withResolvers<undefined>();
    const model = createFamilyModel([allWait.promise, ...textParts("It is 42."), finishPart()]);
    const ids = await Promise.all(Array.from({ length: 16 }, newChat));
    startProcess(model, 1);
    await expect.poll(getStatuses(ids), OFTEN).toEqual(new Set(["awaiting_agents"]));
    allWait.resolve(undefined);
    await expectReports(ids, "It is 42.");
  });

  it("waits on while its process restarts, and so does its agent", async () => {
    const id = await newChat();
    const before = startProcess(createFamilyModel([...textParts("half"), pendingForever()]), 4);
    await expect.poll(getStatuses([id]), OFTEN).toEqual(new Set(["awaiting_agents"]));
    await before.stop();
    expect(await readChat(db, id)).toMatchObject({ status: "awaiting_agents", leaseToken: null });
    startProcess(createFamilyModel(textStep("It is 42.")), 4, { owner: "worker-2" });
    await expectReports([id], "It is 42.");
  });

  it("is taken over with its agent when their worker dies", async () => {
    const dead = await createTurnFixture({ ctx, steps: [delegate] });
    const dying = interceptStatements(db, "settle-", () =>
      Promise.reject(new DomainError("unavailable", "The process is gone.")),
    );
    await expect(dead.run({ db: dying })).rejects.toThrow("The process is gone.");
    const claimed = await claimChats(db, { owner: "dead", limit: 1 });
    expect(claimed).toMatchObject([{ parentChatId: dead.chatId }]);
    await db.query(END_LEASES, [dead.chatId]);
    startProcess(createFamilyModel(textStep("It is 42.")), 4, { owner: "alive" });
    await expectReports([dead.chatId], "It is 42.");
  });
});

/** A database that calls a function with the rows of each statement of its transactions, and at their ends. */
const watchTransactions = (
  onRows: (name: string, rows: unknown[]) => void,
  onEnd: () => void = () => undefined,
): Database => ({
  ...db,
  transaction: async (body) => {
    const result = await db.transaction((tx) => {
      const query: Database["query"] = async (statement, values) => {
        const rows = await tx.query(statement, values);
        onRows(statement.name, rows);
        return rows as never;
      };
      return body({ ...tx, query });
    });
    onEnd();
    return result;
  },
});

describe("an agent", () => {
  it.each([
    ["is claimed with its start where its worker has room", 4, 1],
    ["waits to be claimed where its worker has none", 1, 0],
  ])("%s", async (_, concurrency, expected) => {
    const id = await newChat();
    let claimed = 0;
    const on = watchTransactions((name, rows) => {
      if (name === "claim-new-chats") claimed += rows.length;
    });
    startProcess(createFamilyModel(textStep("It is 42.")), concurrency, { on });
    await expectReports([id], "It is 42.");
    expect(claimed).toBe(expected);
  });

  it("whose start had no response is released by its worker, and answers once", async () => {
    const id = await newChat();
    let starts = 0;
    let isLost = false;
    const on = watchTransactions(
      (name) => {
        if (name === "insert-chats") starts += 1;
      },
      () => {
        if (starts === 0 || isLost) return;
        isLost = true;
        throw new DomainError("unavailable", "The connection is gone.");
      },
    );
    const model = createFamilyModel(textStep("It is 42."));
    startProcess(model, 4, { on, pollMs: SOON_MS });
    await expectReports([id], "It is 42.");
    expect({ isLost, starts }).toEqual({ isLost: true, starts: 1 });
  });
});
