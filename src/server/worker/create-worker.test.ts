import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { pino } from "pino";
import { Registry } from "prom-client";
import { APICallError } from "@ai-sdk/provider";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { DomainError } from "@/contract/domain-error";
import { createChat } from "@/server/chat/create-chat";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import type { TurnDeps } from "@/server/turn/turn-deps";
import { interceptStatements, recordStatements } from "@/test/database-doubles";
import type { ServerContext } from "@/server/context";
import { createDatabase } from "@/server/db/connection/create-database";
import { claimChats } from "@/server/db/sql/machine/claim";
import type { Database } from "@/server/db/connection/database";
import { postgresSource } from "@/server/db/connection/postgres";
import { createLogger } from "@/server/log";
import { createRecordMeter } from "@/server/metrics/meters";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import type { ChatModel } from "@/server/model/model-step";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { createNotifications, type Notifications } from "@/server/stream/notifications";
import { createPreviewRelay } from "@/server/stream/preview-relay";
import { isWorkerAlive, type WorkerActivity } from "@/server/stream/worker-activity";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { NO_TASKS } from "@/test/tool-fixture";
import { createTestTools } from "@/test/app-tools";
import { testDatabase, testServerUrl } from "@/test/database";
import { createModel } from "@/test/factories";
import {
  textStep,
  toolCallParts,
  finishPart,
  pendingForever,
  textParts,
  createScriptedModel,
  type ScriptedModel,
  type ScriptedStep,
} from "@/test/scripted-model";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { startTcpProxy } from "@/test/tcp-proxy";
import { createTestHeldCalls, createTurnFixture } from "@/test/turn-fixture";
import { testProcess } from "@/test/test-process";
import { createDuePoller } from "./due-poller";
import { createWorker, type Worker, type WorkerDeps } from "./create-worker";
import { YIELD_AFTER_MS } from "@/server/turn/yield-while-idle";
import { createTurnDeps } from "@/server/app/create-turn-deps";
import { passDeadlines } from "@/test/park-chat";

/** Longer than any test, so what happens during a test was caused by a notification. */
const NEVER_MS = 3_600_000;
/** Interval of a worker that must poll or renew during a test. */
const SOON_MS = 20;
/** What is polled for is work of milliseconds. */
const OFTEN = { interval: 10 };

const ask = { name: "ask", input_schema: { type: "object" } };
let db: Database;
let ctx: ServerContext;
let dataDir: string;
let started: Pick<Worker, "stop">[] = [];
let opened: Notifications[] = [];

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-worker-"));
});
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  // A worker claims every chat that needs one, so chats of other tests must be gone.
  await db.prisma.chat.deleteMany();
});
afterEach(async () => {
  await Promise.all(started.map((worker) => worker.stop()));
  await Promise.all(opened.map((notifications) => notifications.close()));
  started = [];
  opened = [];
  vi.restoreAllMocks();
});

const openNotifications = async (from: Database): Promise<Notifications> => {
  const notifications = createNotifications(from, { pollMs: NEVER_MS });
  opened.push(notifications);
  await notifications.ready();
  return notifications;
};

/** Creates a database that loses every notification; `deliver` calls its listeners. */
const createSilentDatabase = () => {
  const listeners: ((payload: string) => void)[] = [];
  const silent: Database = {
    ...db,
    changes: {
      subscribe: (listener) => {
        listeners.push(listener);
        return Promise.resolve(() => Promise.resolve());
      },
    },
  };
  const deliver = (payload: string) => listeners.forEach((listener) => listener(payload));
  return { silent, deliver };
};

/** Starts a worker with a scripted model; by default it neither polls nor renews during a test. */
const startWorker = async (
  model: ScriptedModel,
  { pollMs = NEVER_MS, ...changes }: Partial<WorkerDeps> & { pollMs?: number } = {},
  turn: Partial<TurnDeps> = {},
) => {
  const log = createLogger("silent");
  const models = createModelRegistry({});
  const meter = createTurnMeter(createRecordMeter(new Registry()), []);
  const { cached, recent, histories, activity } = testProcess(db);
  const deps = createTurnDeps({
    db,
    cached,
    recent,
    histories,
    relay: createPreviewRelay(),
    models,
    tools: createTestTools(db, dataDir),
    agentLimits: DEFAULT_AGENT_LIMITS,
    heldCalls: createTestHeldCalls(db, "worker-1"),
    tasks: NO_TASKS,
    newId,
    meter,
    log,
  });
  const scripted = {
    provider: "demo" as const,
    model: "scripted",
    label: "demo/scripted",
    contextLimit: null,
    prices: null,
    client: model,
  };
  const signals: AbortSignal[] = [];
  const due = createDuePoller({ db: changes.db ?? db, log, pollMs });
  started.push(due);
  const worker = createWorker({
    db,
    recent,
    activity,
    notifications: changes.notifications ?? (await openNotifications(db)),
    owner: "worker-1",
    concurrency: 16,
    newId,
    log,
    createTurnDeps: (chat, stop) => {
      signals.push(stop.signal);
      return { ...deps(chat, stop), resolveModel: () => Promise.resolve(scripted), ...turn };
    },
    due,
    checkMs: pollMs,
    renewMs: NEVER_MS,
    ...changes,
  });
  started.push(worker);
  /** The abort reasons of the turns in the order of their starts; undefined while a turn runs. */
  const stopReasons = (): unknown[] => signals.map(({ reason }) => reason as unknown);
  return { ...worker, stopReasons };
};

const newChat = async (fields: Partial<Parameters<typeof createChat>[1]> = {}): Promise<string> =>
  (await createChat(ctx, { content: toTextContent("hello"), ...fields })).id;

const getStatus = (chatId: string) => async () => (await readChat(db, chatId)).status;

const getAnswer = async (chatId: string): Promise<string[]> =>
  (await readWholeHistory(db, chatId))
    .filter(({ role }) => role === "assistant")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])));

const leaseSeconds = async (chatId: string): Promise<number> => {
  const [row] = await db.query<{ seconds: number }>(
    {
      name: "test-lease-seconds",
      text: `SELECT extract(epoch FROM lease_expires_at - now())::float8 AS seconds FROM chat WHERE id = $1::uuid`,
    },
    [chatId],
  );
  return row?.seconds ?? Number.NaN;
};

const setLease = (chatId: string, seconds: number) =>
  db.query(
    {
      name: "test-set-lease",
      text: `UPDATE chat SET lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1::uuid`,
    },
    [chatId, seconds],
  );

/** Lets a test set this process's monotonic clock forward. */
const movableClock = () => {
  const real = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  return { forward: (ms: number) => void (ahead += ms) };
};

describe("the end of a turn", () => {
  it("is reported once it is committed, and once only", async () => {
    const ended: { chatId: string; status: Promise<string> }[] = [];
    const chatId = await newChat();
    await startWorker(createScriptedModel([textStep("hi")]), {
      onTurnEnd: (id) => void ended.push({ chatId: id, status: getStatus(id)() }),
    });
    await expect.poll(() => ended.map((end) => end.chatId), OFTEN).toEqual([chatId]);
    expect(await ended[0]?.status).toBe("waiting");
  });
});

describe("a chat that needs a worker is found", () => {
  it("at the start of the worker", async () => {
    const chatId = await newChat();
    await startWorker(createScriptedModel([textStep("hi")]));
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getAnswer(chatId)).toEqual(["hi"]);
  });

  it("by its notification, without any poll", async () => {
    const model = createScriptedModel([textStep("hi"), textStep("again")]);
    await startWorker(model);
    const chatId = await newChat();
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    await sendMessage(ctx, { chatId, content: toTextContent("more"), busyBehavior: "queue" });
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["hi", "again"]);
  });

  it("by the poll, with every notification lost", async () => {
    const { silent } = createSilentDatabase();
    const model = createScriptedModel([textStep("hi")]);
    await startWorker(model, { notifications: await openNotifications(silent), pollMs: SOON_MS });
    const chatId = await newChat();
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getAnswer(chatId)).toEqual(["hi"]);
  });

  it("when the listener reconnects, without any poll", async () => {
    const { silent, deliver } = createSilentDatabase();
    const first = await newChat();
    await startWorker(createScriptedModel([textStep("hi"), textStep("back")]), {
      notifications: await openNotifications(silent),
    });
    await expect.poll(getStatus(first), OFTEN).toBe("waiting");
    const second = await newChat();
    deliver("");
    await expect.poll(getStatus(second), OFTEN).toBe("waiting");
  });

  it("when its action is answered, without any poll", async () => {
    await startWorker(
      createScriptedModel([
        [...toolCallParts("a", "ask", {}), finishPart("tool-calls")],
        textStep("thanks"),
      ]),
    );
    const chatId = await newChat({ dynamicTools: [ask] });
    await expect.poll(getStatus(chatId), OFTEN).toBe("requires_action");
    await submitToolResults(ctx, {
      chatId,
      results: [{ toolCallId: "a", output: 1, isError: false }],
    });
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["thanks"]);
  });

  it("when its queue has a next message, without any poll", async () => {
    const held = Promise.withResolvers<undefined>();
    const model = createScriptedModel([
      [held.promise, ...textParts("one"), finishPart()],
      textStep("two"),
      textStep("three"),
    ]);
    await startWorker(model);
    const chatId = await newChat();
    await model.waitForCalls(1);
    for (const text of ["second", "third"]) {
      await sendMessage(ctx, { chatId, content: toTextContent(text), busyBehavior: "queue" });
    }
    held.resolve(undefined);
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["one", "two", "three"]);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
  });
});

describe("a worker with room", () => {
  /** Starts a worker that has ended a first turn, after which its start sends nothing any more. */
  const startRecorded = async () => {
    const recorded = recordStatements(db);
    const model = createScriptedModel([
      textStep("hi"),
      [...toolCallParts("a", "ask", {}), finishPart("tool-calls")],
      textStep("thanks"),
    ]);
    const ended: string[] = [];
    const onTurnEnd = (id: string): void => void ended.push(id);
    const { claimNew } = await startWorker(model, { db: recorded.db, onTurnEnd });
    const untilEnded = (count: number) => expect.poll(() => ended.length, OFTEN).toBe(count);
    const takeStatements = () => recorded.statements.splice(0);
    await newChat();
    await untilEnded(1);
    takeStatements();
    return { own: { ...ctx, db: recorded.db, claimNew }, untilEnded, takeStatements };
  };
  const results = [{ toolCallId: "a", output: 1, isError: false }];

  it("looks for chats once for each turn, and not after it", async () => {
    const { own, untilEnded, takeStatements } = await startRecorded();
    const chatId = await newChat({ dynamicTools: [ask] });
    await untilEnded(2);
    await submitToolResults(ctx, { chatId, results });
    await untilEnded(3);
    // What the end of a turn sends would be sent before this.
    await own.db.query({ name: "test-last", text: "SELECT 1" }, []);
    expect(takeStatements().filter((name) => name === "claim-chats")).toHaveLength(2);
  });

  it("begins a chat of its process, and continues one with results, without looking for it", async () => {
    const { own, untilEnded, takeStatements } = await startRecorded();
    const content = toTextContent("hello");
    const { id: chatId, status } = await createChat(own, { content, dynamicTools: [ask] });
    expect(status).toBe("running");
    await untilEnded(2);
    expect(takeStatements()).toEqual(["insert-claimed-chat"]);
    await submitToolResults(own, { chatId, results });
    await untilEnded(3);
    expect(takeStatements()).toEqual(["chat-changes", "answer-and-claim"]);
    expect(await getAnswer(chatId)).toEqual(["thanks"]);
  });

  it("leaves new chats to its next claim while it has several turns, and when it stops", async () => {
    const model = createScriptedModel(Array.from({ length: 5 }, () => [pendingForever()]));
    const { claimNew, stop } = await startWorker(model, { graceMs: 0 });
    const create = () => createChat({ ...ctx, claimNew }, { content: toTextContent("hello") });
    for (let running = 1; running <= 4; running++) {
      await newChat();
      await model.waitForCalls(running);
    }
    const { id, status } = await create();
    expect(status).toBe("pending");
    await expect.poll(getStatus(id), OFTEN).toBe("running");
    await stop();
    const late = await create();
    expect(late.status).toBe("pending");
    expect(await getStatus(late.id)()).toBe("pending");
  });

  it("asks nothing after a late notice of a chat that it has claimed since", async () => {
    const recorded = recordStatements(db);
    const { silent, deliver } = createSilentDatabase();
    const chatId = await newChat();
    const model = createScriptedModel([[pendingForever()]]);
    await startWorker(model, { db: recorded.db, notifications: await openNotifications(silent) });
    await model.waitForCalls(1);
    const before = recorded.statements.length;
    deliver(`${chatId} 1 pending ${ctx.actor.userId}`);
    await recorded.db.query({ name: "test-last", text: "SELECT 1" }, []);
    expect(recorded.statements.slice(before)).toEqual(["test-last"]);
    deliver(`${chatId} 9 pending ${ctx.actor.userId}`);
    await expect.poll(() => recorded.statements, OFTEN).toContain("leased-chat-states");
  });
});

describe("the concurrency limit", () => {
  it("is kept, and a free slot is filled at once with the oldest work", async () => {
    const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<undefined>());
    const model = createScriptedModel(
      gates.map(({ promise }) => [promise, ...textParts("done"), finishPart()]),
    );
    const chats = [await newChat(), await newChat(), await newChat(), await newChat()];
    await startWorker(model, { concurrency: 2 });
    await model.waitForCalls(2);
    const statuses = () => Promise.all(chats.map((chatId) => getStatus(chatId)()));
    expect(await statuses()).toEqual(["running", "running", "pending", "pending"]);
    gates[0]?.resolve(undefined);
    await model.waitForCalls(3);
    await expect
      .poll(async () => (await statuses()).toSorted(), OFTEN)
      .toEqual(["pending", "running", "running", "waiting"]);
    expect((await statuses())[3]).toBe("pending");
    for (const { resolve } of gates) resolve(undefined);
    await expect.poll(statuses, OFTEN).toEqual(chats.map(() => "waiting"));
    expect(model.requests).toHaveLength(4);
  });
});

describe("slots", () => {
  const silent = (times: number): ScriptedStep[] =>
    Array.from({ length: times }, () => [pendingForever()]);
  const getChats = async (owner: ServerContext, modelId: string, times: number) => {
    const chats: string[] = [];
    for (let chat = 0; chat < times; chat += 1) {
      const created = await createChat(owner, { content: toTextContent("hello"), modelId });
      chats.push(created.id);
    }
    return chats;
  };
  const getRunning = async (chats: string[]): Promise<number> => {
    const rows = await db.prisma.chat.findMany({ where: { id: { in: chats }, status: "running" } });
    return rows.length;
  };

  it("are not all held by one provider that is silent", async () => {
    const slow = await createModel(db, { provider: "openai" });
    const other = await createModel(db, { provider: "anthropic" });
    const held = await getChats(ctx, slow, 17);
    const model = createScriptedModel([...silent(16), textStep("at once")]);
    await startWorker(model, { graceMs: 0 });
    await model.waitForCalls(16);
    const [chatId = ""] = await getChats(ctx, other, 1);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getAnswer(chatId)).toEqual(["at once"]);
    // One person's chats at one provider have the whole concurrency, and no more.
    expect(await getRunning(held)).toBe(16);
  });

  it("are not all held by one of several compatible servers", async () => {
    const [slow = "", other = ""] = await Promise.all(
      ["http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"].map((baseUrl) =>
        createModel(db, { provider: "openai-compatible", baseUrl }),
      ),
    );
    const held = await getChats(ctx, slow, 5);
    const model = createScriptedModel([...silent(4), textStep("at once")]);
    await startWorker(model, { concurrency: 4, graceMs: 0 });
    await model.waitForCalls(4);
    const [chatId = ""] = await getChats(ctx, other, 1);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getAnswer(chatId)).toEqual(["at once"]);
    expect(await getRunning(held)).toBe(4);
  });

  it("are yielded by chats of silent providers, however many these are", async () => {
    const providers = ["openai", "anthropic", "google"] as const;
    const models = await Promise.all(providers.map((provider) => createModel(db, { provider })));
    const [one = "", two = "", other = ""] = models;
    const timers = vi.spyOn(globalThis, "setTimeout");
    const held = [...(await getChats(ctx, one, 5)), ...(await getChats(ctx, two, 5))];
    const model = createScriptedModel([...silent(8), textStep("at once")]);
    await startWorker(model, { concurrency: 4, graceMs: 0 });
    await model.waitForCalls(5);
    const yieldIdle = () => {
      for (const [onTimeout, ms] of timers.mock.calls) if (ms === YIELD_AFTER_MS) onTimeout();
    };
    yieldIdle();
    await model.waitForCalls(8);
    yieldIdle();
    const [chatId = ""] = await getChats(ctx, other, 1);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getAnswer(chatId)).toEqual(["at once"]);
    // Each provider still has no more turns of this person than before.
    expect(await getRunning(held)).toBe(8);
  });

  it("are not all held by one owner", async () => {
    const slow = await createModel(db, { provider: "openai" });
    const stranger = await createTestContext(db);
    const held = await getChats(ctx, slow, 17);
    const model = createScriptedModel([...silent(16), textStep("at once")]);
    await startWorker(model, { graceMs: 0 });
    await model.waitForCalls(16);
    const [chatId = ""] = await getChats(stranger, slow, 1);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getRunning(held)).toBe(16);
  });

  it("are left to others by an owner with chats at several providers", async () => {
    const providers = ["openai", "anthropic", "google"] as const;
    const models = await Promise.all(providers.map((provider) => createModel(db, { provider })));
    const stranger = await createTestContext(db);
    const held: string[] = [];
    for (const modelId of models) held.push(...(await getChats(ctx, modelId, 5)));
    const model = createScriptedModel([...silent(5), textStep("at once")]);
    await startWorker(model, { concurrency: 4, graceMs: 0 });
    await model.waitForCalls(5);
    const [chatId = ""] = await getChats(stranger, models[0] ?? "", 1);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(await getRunning(held)).toBe(5);
  });

  it("that are full do not delay an interruption", async () => {
    const slow = await createModel(db, { provider: "openai" });
    const [first = "", second = ""] = await getChats(ctx, slow, 2);
    const model = createScriptedModel(silent(1));
    await startWorker(model, { concurrency: 1, graceMs: 0 });
    await model.waitForCalls(1);
    await interruptChat(ctx, { chatId: second });
    await expect.poll(getStatus(second), OFTEN).toBe("waiting");
    expect(await readChat(db, first)).toMatchObject({ status: "running" });
  });
});

const rateLimited = (retryAfterSeconds: number) => ({
  throws: new APICallError({
    message: "slow down",
    url: "https://example.org",
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { "retry-after": String(retryAfterSeconds) },
  }),
});

describe("a provider that asks to wait", () => {
  it("leaves the slot to other chats, and the chat is claimed when the time has come", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const model = createScriptedModel([rateLimited(61), textStep("other"), textStep("later")]);
    const chatId = await newChat();
    await startWorker(model, { concurrency: 1 });
    const other = await newChat();
    await expect.poll(() => getAnswer(other), OFTEN).toEqual(["other"]);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", leaseToken: null });
    expect(model.requests).toHaveLength(2);
    await db.prisma.chat.update({ where: { id: chatId }, data: { notBefore: new Date(0) } });
    const [wake] = timers.mock.calls.find(([, ms = 0]) => Math.floor(ms / 1_000) === 61) ?? [];
    wake?.();
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["later"]);
  });

  it("is waited for by the poll in another process", async () => {
    const chatId = await newChat();
    const notBefore = new Date(Date.now() + 3_600_000);
    await db.prisma.chat.update({ where: { id: chatId }, data: { notBefore } });
    const model = createScriptedModel([textStep("hi"), textStep("later")]);
    await startWorker(model, { pollMs: SOON_MS });
    const other = await newChat();
    await expect.poll(getStatus(other), OFTEN).toBe("waiting");
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending" });
    await db.prisma.chat.update({ where: { id: chatId }, data: { notBefore: new Date(0) } });
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["later"]);
  });
});

describe("a provider over HTTP", () => {
  const callServer = async (
    answer: Parameters<typeof startStubServer>[0],
    settings: Partial<ChatModel> = {},
  ) => {
    const server = await startStubServer(answer);
    onTestFinished(server.close);
    const access = { apiKey: "key", baseUrl: `${server.url}/v1` };
    const model = createModelRegistry({ "openai-compatible": access }).toChatModel({
      provider: "openai-compatible",
      model: "local",
      contextLimit: null,
      prices: { input: 1_000, output: 1_000 },
    });
    const chatId = await newChat();
    await startWorker(
      createScriptedModel([]),
      {},
      {
        resolveModel: () => Promise.resolve({ ...model, ...settings }),
        wait: () => Promise.resolve(),
      },
    );
    await expect.poll(getStatus(chatId), OFTEN).toMatch(/^(waiting|error)$/);
    return { chat: await readChat(db, chatId), answer: await getAnswer(chatId), server };
  };
  const chunk = (fields: object) => ({
    id: "1",
    created: 1,
    model: "local",
    choices: [],
    ...fields,
  });
  const delta = (content: string, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: { content }, finish_reason }] });

  it.each([
    [3.7, 3],
    [3e9, 1e9],
    [-1, 0],
  ])("that reports %d tokens is called once", async (prompt_tokens, tokens) => {
    const { chat, answer, server } = await callServer((response) => {
      const usage = chunk({ usage: { prompt_tokens, completion_tokens: 3e9 } });
      sendEvents(response, [delta("Hi", "stop"), usage, "[DONE]"]);
      response.end();
    });
    expect(chat).toMatchObject({ status: "waiting", contextTokens: tokens + 1e9 });
    expect(answer).toEqual(["Hi"]);
    expect(server.requests).toHaveLength(1);
  });

  it("that cuts each answer is called four times, and the longest one is kept", async () => {
    let calls = 0;
    const { chat, answer, server } = await callServer((response) => {
      calls += 1;
      sendEvents(response, [delta("word ".repeat(calls === 2 ? 9 : 1))]);
      response.end();
    });
    expect(server.requests).toHaveLength(4);
    expect(chat).toMatchObject({ status: "error", lastError: { kind: "timeout" } });
    expect(answer).toEqual(["word ".repeat(9)]);
  });

  it("that is silent for as long as its model's setting allows is called once", async () => {
    const { chat, server } = await callServer(() => undefined, { firstPartMs: 500 });
    expect(chat).toMatchObject({
      status: "error",
      lastError: { kind: "timeout", retryable: false },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("that answers with a page is called once, and the person is told so", async () => {
    const { chat, server } = await callServer((response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
    });
    expect(server.requests).toHaveLength(1);
    const message = expect.stringContaining("with a web page (without a title)") as unknown;
    expect(chat).toMatchObject({ status: "error", lastError: { kind: "config", message } });
  });
});

describe("a lease", () => {
  it("is renewed while its turn runs", async () => {
    const model = createScriptedModel([[pendingForever()]]);
    await startWorker(model, { renewMs: SOON_MS });
    const chatId = await newChat();
    await model.waitForCalls(1);
    const { version } = await readChat(db, chatId);
    await setLease(chatId, 1);
    await expect.poll(() => leaseSeconds(chatId), OFTEN).toBeGreaterThan(20);
    expect(await readChat(db, chatId)).toMatchObject({ status: "running", version });
    await interruptChat(ctx, { chatId });
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
  });

  it("that another worker has taken ends the turn, whose output is dropped", async () => {
    const model = createScriptedModel([[...textParts("stale"), pendingForever()]]);
    const { stopReasons } = await startWorker(model, { pollMs: SOON_MS });
    const chatId = await newChat();
    await model.waitForCalls(1);
    await db.query(
      {
        name: "test-take-lease",
        text: `UPDATE chat SET lease_owner = 'other', lease_token = gen_random_uuid(),
          lease_expires_at = now() + interval '1 hour' WHERE id = $1::uuid`,
      },
      [chatId],
    );
    await expect.poll(stopReasons, OFTEN).toEqual(["lost"]);
    expect(await getAnswer(chatId)).toEqual([]);
    expect(await readChat(db, chatId)).toMatchObject({ status: "running", leaseOwner: "other" });
  });

  it("whose claim had no response is released by its own worker", async () => {
    const chatId = await newChat();
    await claimChats(db, { owner: "worker-1", limit: 1 });
    expect(await leaseSeconds(chatId)).toBeGreaterThan(20);
    await startWorker(createScriptedModel([textStep("hi")]), { pollMs: SOON_MS, renewMs: SOON_MS });
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["hi"]);
  });

  it("that cannot be released does not keep the worker from other chats, and is logged", async () => {
    const lines: { chatId?: string }[] = [];
    const log = pino(
      {},
      { write: (line: string) => lines.push(JSON.parse(line) as { chatId?: string }) },
    );
    const broken = await newChat();
    await claimChats(db, { owner: "worker-1", limit: 1 });
    await db.prisma.chat.update({ where: { id: broken }, data: { version: 2 ** 31 - 1 } });
    const times = { pollMs: SOON_MS, renewMs: SOON_MS };
    await startWorker(createScriptedModel([textStep("hi")]), { ...times, log });
    await expect.poll(() => lines.length, OFTEN).toBeGreaterThan(0);
    const chatId = await newChat();
    await expect.poll(() => getAnswer(chatId), OFTEN).toEqual(["hi"]);
    expect(lines).toContainEqual(expect.objectContaining({ chatId: broken }));
    expect(await readChat(db, broken)).toMatchObject({ status: "running" });
  });

  it("that cannot be renewed ends the turn before others may take the chat", async () => {
    const clock = movableClock();
    let checks = 0;
    const cut: Database = {
      ...db,
      query: (statement, values) => {
        if (statement.name === "find-due-work") checks += 1;
        return statement.name === "renew-leases"
          ? Promise.reject(new Error("the connection is cut"))
          : db.query(statement, values);
      },
    };
    const model = createScriptedModel([[pendingForever()]]);
    const times = { pollMs: SOON_MS, renewMs: SOON_MS };
    const { stopReasons } = await startWorker(model, { db: cut, ...times });
    const chatId = await newChat();
    await model.waitForCalls(1);
    clock.forward(20_000);
    const checked = checks;
    await expect.poll(() => checks, OFTEN).toBeGreaterThan(checked + 1);
    expect(stopReasons()).toEqual([undefined]);
    clock.forward(6_000);
    await expect.poll(stopReasons, OFTEN).toEqual(["lost"]);
    expect(await leaseSeconds(chatId)).toBeGreaterThan(0);
  });

  it("that expired passes to the next worker, which continues from the committed state", async () => {
    const dead = await createTurnFixture({
      ctx,
      steps: [
        [...textParts("step"), ...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
      ],
    });
    const away = interceptStatements(db, "settle-", () =>
      Promise.reject(new DomainError("unavailable", "The database is away.")),
    );
    await expect(dead.run({ db: away })).rejects.toThrow("database is away");
    await setLease(dead.chatId, -1);
    await startWorker(createScriptedModel([textStep("after")]), { owner: "alive" });
    await expect.poll(getStatus(dead.chatId), OFTEN).toBe("waiting");
    expect(await getAnswer(dead.chatId)).toEqual(["step", "after"]);
    const [, step] = await readWholeHistory(db, dead.chatId);
    expect(step?.parts[1]).toMatchObject({ state: "error", isError: true });
  });
});

describe("an interrupt reaches a running turn", () => {
  it("by its notification", async () => {
    const model = createScriptedModel([[...textParts("half an"), pendingForever()]]);
    const { stopReasons } = await startWorker(model);
    const chatId = await newChat();
    await model.waitForCalls(1);
    await interruptChat(ctx, { chatId });
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(stopReasons()).toEqual(["interrupted"]);
  });

  it("by the poll, with every notification lost", async () => {
    const { silent } = createSilentDatabase();
    const model = createScriptedModel([[...textParts("half an"), pendingForever()]]);
    await startWorker(model, { notifications: await openNotifications(silent), pollMs: SOON_MS });
    const chatId = await newChat();
    await model.waitForCalls(1);
    await interruptChat(ctx, { chatId });
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
  });

  it("or is completed by any worker when no worker has the chat", async () => {
    const chatId = await newChat();
    await interruptChat(ctx, { chatId });
    const model = createScriptedModel([]);
    await startWorker(model);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(model.requests).toHaveLength(0);
  });
});

describe("an action whose deadline has passed", () => {
  it("is closed as timed out, and the chat continues", async () => {
    const model = createScriptedModel([
      [...toolCallParts("a", "ask", {}), finishPart("tool-calls")],
      textStep("no result came"),
    ]);
    await startWorker(model, { pollMs: SOON_MS });
    const chatId = await newChat({ dynamicTools: [ask] });
    await expect.poll(getStatus(chatId), OFTEN).toBe("requires_action");
    await passDeadlines(db, chatId);
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    const [, step] = await readWholeHistory(db, chatId);
    expect(step?.parts).toMatchObject([{ state: "timed_out", isError: true }]);
    expect(await getAnswer(chatId)).toEqual(["no result came"]);
  });
});

describe("a worker that stops", () => {
  it("finishes a step and releases the chat, which the next worker continues", async () => {
    const held = Promise.withResolvers<undefined>();
    const first = createScriptedModel([
      [held.promise, ...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
    ]);
    const worker = await startWorker(first);
    const chatId = await newChat();
    await first.waitForCalls(1);
    const later = await newChat();
    const stopped = worker.stop();
    held.resolve(undefined);
    await stopped;
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", leaseToken: null });
    expect((await readWholeHistory(db, chatId)).at(-1)?.parts).toMatchObject([
      { toolCallId: "a", state: "completed" },
    ]);
    await startWorker(createScriptedModel([textStep("on"), textStep("on")]), { owner: "worker-2" });
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    await expect.poll(getStatus(later), OFTEN).toBe("waiting");
    expect(await getAnswer(chatId)).toEqual(["on"]);
  });

  it("claims no more chats", async () => {
    const model = createScriptedModel([]);
    const worker = await startWorker(model, { pollMs: SOON_MS });
    await worker.stop();
    const chatId = await newChat();
    await startWorker(createScriptedModel([textStep("hi")]), { owner: "worker-2" });
    await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
    expect(model.requests).toHaveLength(0);
  });

  it("does not wait for chats that wait for a retry", async () => {
    const model = createScriptedModel([rateLimited(9), [pendingForever()]]);
    const worker = await startWorker(model);
    const chatId = await newChat();
    await expect.poll(async () => (await readChat(db, chatId)).retry, OFTEN).not.toBeNull();
    await worker.stop();
    expect(model.requests).toHaveLength(1);
    expect(await readChat(db, chatId)).toMatchObject({
      status: "pending",
      leaseToken: null,
      retry: { attempt: 2 },
      notBefore: expect.any(Date) as Date,
    });
  });

  it("aborts a step that takes too long, and releases its chat without counting the attempt", async () => {
    const model = createScriptedModel([[...textParts("endless"), pendingForever()]]);
    const worker = await startWorker(model, { graceMs: 0 });
    const chatId = await newChat();
    await model.waitForCalls(1);
    await worker.stop();
    expect(await readChat(db, chatId)).toMatchObject({
      status: "pending",
      leaseToken: null,
      attempt: 0,
    });
    expect(await getAnswer(chatId)).toEqual([]);
  });
});

describe("two workers", () => {
  it("share the work, and no chat is answered twice", async () => {
    const gate = Promise.withResolvers<undefined>();
    const models = [1, 2].map(() =>
      createScriptedModel(
        Array.from({ length: 20 }, () => [gate.promise, ...textParts("one"), finishPart()]),
      ),
    );
    for (const [index, model] of models.entries()) {
      await startWorker(model, { owner: `worker-${index}`, concurrency: 6 });
    }
    const chats = await Promise.all(Array.from({ length: 12 }, () => newChat()));
    await Promise.all(models.map((model) => model.waitForCalls(6)));
    gate.resolve(undefined);
    const statuses = () => Promise.all(chats.map((chatId) => getStatus(chatId)()));
    await expect.poll(statuses, OFTEN).toEqual(chats.map(() => "waiting"));
    for (const chatId of chats) expect(await getAnswer(chatId)).toEqual(["one"]);
    expect(models.map(({ requests }) => requests.length)).toEqual([6, 6]);
  });
});

if (testServerUrl) {
  describe("a worker whose connections to the database fall silent", () => {
    it("claims again, although no error reports that they are lost", async () => {
      const [{ name } = { name: "" }] = await db.query<{ name: string }>(
        { name: "test-database-name", text: "SELECT current_database() AS name" },
        [],
      );
      const databaseUrl = new URL(testServerUrl ?? "");
      const { hostname, port } = databaseUrl;
      const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      databaseUrl.host = `127.0.0.1:${proxy.port}`;
      databaseUrl.pathname = `/${name}`;
      const proxied = createDatabase(
        postgresSource({ databaseUrl: databaseUrl.toString() }, 4, {
          lockTimeoutMs: 400,
          statementTimeoutMs: 800,
          queryTimeoutMs: 1_000,
          // One that is being opened may fall silent, too.
          connectTimeoutMs: 1_000,
        }),
      );
      const model = createScriptedModel([textStep("one"), textStep("two"), textStep("three")]);
      const activity: WorkerActivity = {};
      const worker = await startWorker(model, {
        db: proxied,
        activity,
        notifications: await openNotifications(proxied),
        pollMs: SOON_MS,
        renewMs: SOON_MS,
      });
      try {
        for (let round = 0; round < 3; round++) {
          const chatId = await newChat();
          await expect.poll(getStatus(chatId), OFTEN).toBe("waiting");
          proxy.silence();
        }
        expect(isWorkerAlive(activity)).toBe(true);
      } finally {
        await worker.stop();
        await proxied.close();
        await proxy.close();
      }
    });
  });
}
