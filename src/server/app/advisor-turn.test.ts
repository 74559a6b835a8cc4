import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Registry } from "prom-client";
import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdvisorConfig, AdvisorResult, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import { createChat } from "@/server/chat/create-chat";
import { getLocalCalls } from "@/server/turn/decide-next";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { advisorSetting } from "@/server/db/settings/setting-reads";
import { writeStoredSetting } from "@/server/db/settings/setting-writes";
import { createLogger } from "@/server/log";
import { createRecordMeter } from "@/server/metrics/meters";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { createNotifications } from "@/server/stream/notifications";
import { createPreviewRelay } from "@/server/stream/preview-relay";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { createTestTools } from "@/test/app-tools";
import { testDatabase } from "@/test/database";
import { createModel } from "@/test/factories";
import { NO_TASKS } from "@/test/tool-fixture";
import { createTestHeldCalls } from "@/test/turn-fixture";
import { createDuePoller } from "@/server/worker/due-poller";
import { createWorker, type Worker } from "@/server/worker/create-worker";
import { testProcess } from "@/test/test-process";
import { createTurnDeps } from "./create-turn-deps";

/** What is polled for is work of milliseconds. */
const OFTEN = { interval: 10 };

let db: Database;
let ctx: ServerContext;
let dataDir: string;
let modelId: string;
let workers: Pick<Worker, "stop">[] = [];

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
  modelId = await createModel(db);
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-advisor-"));
});
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  // A worker claims every chat that needs one, so chats of other tests must be gone.
  await db.prisma.chat.deleteMany();
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  await db.prisma.setting.deleteMany();
});

/** A process's worker with the demo model, as it is when no key is set. */
const startWorker = (owner: string): Pick<Worker, "stop"> => {
  const log = createLogger("silent");
  const notifications = createNotifications(db, { pollMs: 20 });
  const { cached, recent, histories, activity } = testProcess(db);
  const due = createDuePoller({ db, log, pollMs: 20 });
  const worker = createWorker({
    db,
    recent,
    activity,
    notifications,
    owner,
    concurrency: 4,
    newId,
    log,
    createTurnDeps: createTurnDeps({
      db,
      cached,
      recent,
      histories,
      relay: createPreviewRelay(),
      models: createModelRegistry({}),
      tools: createTestTools(db, dataDir),
      agentLimits: DEFAULT_AGENT_LIMITS,
      heldCalls: createTestHeldCalls(db, owner),
      tasks: NO_TASKS,
      newId,
      meter: createTurnMeter(createRecordMeter(new Registry()), []),
      log,
    }),
    due,
    checkMs: 20,
  });
  const stoppable = {
    stop: async () => {
      await due.stop();
      await worker.stop();
      await notifications.close();
    },
  };
  workers.push(stoppable);
  return stoppable;
};

const turnOn = (changes: Partial<AdvisorConfig> = {}) =>
  writeStoredSetting(db, advisorSetting, { ...DEFAULT_ADVISOR_CONFIG, enabled: true, ...changes });

const startChat = (text: string, rest: object = {}) =>
  createChat(ctx, { content: toTextContent(text), modelId, ...rest }).then(({ id }) => id);

const restsAs = (chatId: string, status: string) =>
  expect.poll(async () => (await readChat(db, chatId)).status, OFTEN).toBe(status);

const results = async (chatId: string) =>
  (await readWholeHistory(db, chatId))
    .flatMap(getLocalCalls)
    .filter(({ toolName }) => toolName === "advisor")
    .map(({ output }) => AdvisorResult.safeParse(output).data);

const lastText = async (chatId: string) => {
  const last = (await readWholeHistory(db, chatId)).at(-1);
  return last?.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("") ?? "";
};

describe("the demo model, asked to advise", () => {
  it("asks the advisor when it is on, and answers with what came of it", async () => {
    await turnOn();
    const chatId = await startChat("advise how to begin");
    startWorker("one");
    await restsAs(chatId, "waiting");
    expect(await results(chatId)).toMatchObject([
      { type: "advice", advisor_model: `demo/test-${modelId}`, remaining_uses: 2 },
    ]);
    expect(await lastText(chatId)).toContain("advisor");
    expect((await readChat(db, chatId)).usage.advisor?.output_tokens).toBeGreaterThan(0);
  });

  it("shows a failure of the advisor, which ends no turn", async () => {
    await turnOn();
    const chatId = await startChat("advise fail auth");
    startWorker("one");
    await restsAs(chatId, "waiting");
    expect(await results(chatId)).toMatchObject([{ type: "error", remaining_uses: 3 }]);
  });

  it("says that there is none when it is off", async () => {
    const chatId = await startChat("advise how to begin");
    startWorker("one");
    await restsAs(chatId, "waiting");
    expect(await results(chatId)).toEqual([]);
    expect(await lastText(chatId)).toContain("I need `advisor`");
  });

  it.each([
    ["unknown", () => Promise.resolve(newId())],
    ["disabled", () => createModel(db, { enabled: false })],
  ])("is its own advisor when that of the settings is %s", async (_case, makeModel) => {
    await turnOn({ model_id: await makeModel() });
    const chatId = await startChat("advise how to begin");
    startWorker("one");
    await restsAs(chatId, "waiting");
    expect(await results(chatId)).toMatchObject([
      { type: "advice", advisor_model: `demo/test-${modelId}` },
    ]);
  });
});

it("the uses of a turn are known to a second worker after a pause", async () => {
  await turnOn({ max_uses_per_run: 1 });
  const chatId = await startChat("use advisor then ask_client then advisor", {
    dynamicTools: [{ name: "ask_client" }],
  });
  const first = startWorker("one");
  await restsAs(chatId, "requires_action");
  await first.stop();
  const [, , parked] = await readWholeHistory(db, chatId);
  const [open] = parked ? getLocalCalls(parked) : [];
  await submitToolResults(ctx, {
    chatId,
    results: [{ toolCallId: open?.toolCallId ?? "", output: "ok", isError: false }],
  });
  startWorker("two");
  await restsAs(chatId, "waiting");
  expect(await results(chatId)).toMatchObject([
    { type: "advice", remaining_uses: 0 },
    { type: "limit_reached", remaining_uses: 0 },
  ]);
});
