import { Registry } from "prom-client";
import { v7 as newId } from "uuid";
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import type { ModelPrices } from "@/contract/model";
import { createAgentToolDeps } from "@/server/agents/agent-tool-deps";
import type { CreateChat } from "@/server/chat/create-chat";
import { createChat } from "@/server/chat/create-chat";
import { resumeQuestionCall } from "@/server/chat/question-calls";
import { createHeldCalls } from "@/server/mcp/questions/held-calls";
import type { ProcessHeldCalls } from "@/server/tools/held-calls";
import { findChosenGroups } from "@/server/settings/chosen-tools";
import { createTurnTools } from "@/server/turn/turn-tools";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import { runTurn } from "@/server/turn/run-turn";
import type { StopReason, TurnDeps } from "@/server/turn/turn-deps";
import { createTaskDeps } from "@/server/chat/manage-tasks";
import { createTaskRuns, type TaskRuns } from "@/server/tasks/task-runs";
import type { PreviewOp } from "@/contract/stream-event";
import type { ServerContext } from "@/server/context";
import { filterOpenCalls } from "@/server/db/chats/call-reads";
import type { Database } from "@/server/db/connection/database";
import { readGroups } from "@/server/db/settings/group-reads";
import { holdSessions, releaseSessions } from "@/server/db/tasks/session-holds";
import type { ChatRow } from "@/server/db/chats/rows";
import { type ClaimedChat, claimChats } from "@/server/db/sql/machine/claim";
import { callModel } from "@/server/model/call-model";
import { createMessageFileDeps } from "@/server/app/message-file-deps";
import { BUILTIN_TOOL_NAMES, createTools, type ToolDeps } from "@/server/app/tool-registry";
import { createToolSources } from "@/server/tools/tool-source";
import type { Tool } from "@/server/tools/tool";
import { createMcpLister } from "@/server/mcp/tools/mcp-lister";
import type { McpServers } from "@/server/mcp/mcp-servers";
import { createRecordMeter } from "@/server/metrics/meters";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { toTextContent } from "./chat-fixture";
import { readChat, readWholeHistory } from "./chat-probe";
import { testDatabase } from "./database";
import { type ScriptedModel, type ScriptedStep, createScriptedModel } from "./scripted-model";
import { createTestContext } from "./chat-fixture";
import { testProcess } from "./test-process";
import { NO_MCP_SERVERS, emptyToolDeps, recordedDeps, type RecordedDeps } from "./tool-fixture";

export type TurnSetup = Partial<CreateChat> & {
  /** The model's answers in call order. */
  steps: ScriptedStep[];
  /** What the built-in tools use, where it is not empty. */
  toolDeps?: Partial<ToolDeps>;
  /** Tools in addition to the built-in ones. */
  tools?: Tool[];
  /** Tools that may change while turns run. */
  listTools?: () => readonly Tool[];
  /** The MCP servers of the process. */
  mcp?: Pick<McpServers, "listLinks">;
  /** Undefined means no advisor. */
  advisor?: AdvisorRuntime;
  ctx?: ServerContext;
  /** Where they are not the default ones. */
  agentLimits?: Partial<AgentLimits>;
  /** Of the model; null is free. */
  prices?: ModelPrices | null;
};

/** Creates a signal that is aborted while a condition is true, as far as its reader asks. */
export const createSignal = (isAborted: () => boolean): AbortSignal =>
  Object.defineProperty(new AbortController().signal, "aborted", { get: isAborted });

export type TurnFixture = {
  ctx: ServerContext;
  chatId: string;
  agentLimits: AgentLimits;
  model: ScriptedModel;
  /** All preview operations. */
  ops: PreviewOp[];
  /** Delays between attempts, in milliseconds. */
  waits: number[];
  /** Delays after which the chat can be claimed again, in milliseconds. */
  deferrals: number[];
  /** What the turns have logged. */
  logged: RecordedDeps["logged"];
  /** The metrics of the turns. */
  register: Registry;
  /** The built-in tools that the turns use. */
  builtin: ReturnType<typeof createTools>;
  heldCalls: ProcessHeldCalls;
  tasks: TaskRuns;
  claim: () => Promise<ClaimedChat>;
  /** Claims the chat and lets its lease expire, like a worker that crashes. */
  crash: () => Promise<void>;
  /** Lets the lease of the chat expire. */
  endLease: () => Promise<void>;
  /** Lets the time come at which a deferred chat can be claimed. */
  arrive: () => Promise<void>;
  /** Claims the chat, unless it is given, and runs its turn until the lease is released. */
  run: (changes?: Partial<TurnDeps>, claimed?: ClaimedChat) => Promise<void>;
  /** Aborts the running turn. */
  stop: (reason: StopReason) => void;
  chat: () => Promise<ChatRow>;
  history: () => ReturnType<typeof readWholeHistory>;
};

const END_LEASE = {
  name: "test-end-lease",
  text: `UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE id = $1::uuid`,
};

const ARRIVE = {
  name: "test-arrive",
  text: `UPDATE chat SET not_before = now() - interval '1 second' WHERE id = $1::uuid AND not_before IS NOT NULL`,
};

/** Keeps calls that wait for a person as a process does, but looks at the database only when it is told to. */
export const createTestHeldCalls = (db: Database, owner = "test", max?: number): ProcessHeldCalls =>
  createHeldCalls(
    {
      hold: async (chatId) => (await holdSessions(db, { owner, chatId })) !== undefined,
      release: (chatIds) => releaseSessions(db, { owner, chatIds }),
      resume: (call) => resumeQuestionCall({ db, newId }, call),
      listOpen: (calls) => filterOpenCalls(db, calls),
    },
    max,
  );

/** Creates a chat in the test database with everything to run its turns on a scripted model. */
export const createTurnFixture = async ({
  steps,
  tools = [],
  listTools = () => [],
  toolDeps = {},
  mcp = NO_MCP_SERVERS,
  advisor,
  ctx: given,
  agentLimits: limits,
  prices = null,
  ...input
}: TurnSetup): Promise<TurnFixture> => {
  const db = await testDatabase();
  const agentLimits = { ...DEFAULT_AGENT_LIMITS, ...limits };
  const ctx = given ?? (await createTestContext(db));
  const { id: chatId } = await createChat(ctx, { content: toTextContent("hello"), ...input });
  const model = createScriptedModel(steps);
  const ops: PreviewOp[] = [];
  const waits: number[] = [];
  const deferrals: number[] = [];
  let controller = new AbortController();

  const claim = async (): Promise<ClaimedChat> => {
    const claimed = await claimChats(db, { owner: "test", limit: 10_000 });
    const mine = claimed.find((chat) => chat.id === chatId);
    if (!mine) throw new Error("the chat could not be claimed");
    ctx.recent.add({ chat: mine, messages: [] });
    return mine;
  };
  const register = new Registry();
  const meter = createTurnMeter(createRecordMeter(register), BUILTIN_TOOL_NAMES);
  const { deps: callDeps, logged } = recordedDeps();
  const { saveArtifact, step } = callDeps;
  const heldCalls = createTestHeldCalls(db);
  const tasks = createTaskRuns({
    // A process of its own: the heartbeat of its tasks is none of the worker that holds chats.
    db,
    notifications: testProcess(db).notifications,
    owner: ctx.newId(),
    newId: ctx.newId,
    log: step.log,
    onChange: () => undefined,
  });
  const taskDeps = createTaskDeps({ db, newId: ctx.newId });
  const builtin = createTools({
    ...emptyToolDeps,
    ...taskDeps,
    ...createAgentToolDeps({
      db,
      newId: ctx.newId,
      agentLimits,
      agentTypes: ctx.cached.agentTypes,
      exploreTools: () => [],
    }),
    ...toolDeps,
  });
  const recipes = tools.filter(({ kind }) => kind === "recipe");
  const others = tools.filter(({ kind }) => kind !== "recipe");
  const sources = createToolSources([...Object.values(builtin), ...others], {
    recipe: () => [...recipes, ...listTools()],
    mcp: createMcpLister(mcp, { saveArtifact }),
  });
  const deps = (changes: Partial<TurnDeps>): TurnDeps => ({
    db,
    recent: ctx.recent,
    histories: testProcess(db).histories,
    agentLimits,
    resolveModel: () =>
      Promise.resolve({
        provider: "demo",
        model: "scripted",
        label: "demo/scripted",
        contextLimit: null,
        prices,
        client: model,
      }),
    callModel,
    tools: async (chat, toolModes) => {
      const groups = findChosenGroups(chat, await readGroups(db));
      return createTurnTools({ sources, advisor, chat, toolModes, groups, log: step.log });
    },
    meter,
    saveArtifact,
    openArtifact: toolDeps.openArtifact ?? emptyToolDeps.openArtifact,
    files: createMessageFileDeps({ db, ...emptyToolDeps, ...toolDeps }),
    heldCalls,
    tasks,
    log: step.log,
    preview: { reset: () => undefined, write: (op) => ops.push(op), end: () => undefined },
    signal: controller.signal,
    isLeaseFresh: () => true,
    stopping: new AbortController().signal,
    now: () => new Date(),
    newId: ctx.newId,
    random: () => 0,
    // The agents are claimed by those who run their turns.
    claimNew: async (_, insert) => void (await insert({ owner: "test", limit: 0, full: [] })),
    slot: { yield: () => undefined, reclaim: () => undefined },
    onDeferred: (ms) => deferrals.push(ms),
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...changes,
  });
  return {
    ctx,
    chatId,
    agentLimits,
    model,
    ops,
    waits,
    deferrals,
    logged,
    register,
    builtin,
    heldCalls,
    tasks,
    claim,
    crash: async () => {
      await claim();
      await db.query(END_LEASE, [chatId]);
    },
    endLease: async () => {
      await db.query(END_LEASE, [chatId]);
    },
    arrive: async () => {
      await db.query(ARRIVE, [chatId]);
    },
    run: async (changes = {}, claimed) => {
      controller = new AbortController();
      await runTurn(deps(changes), claimed ?? (await claim()));
    },
    stop: (reason) => controller.abort(reason),
    chat: () => readChat(db, chatId),
    history: () => readWholeHistory(db, chatId),
  };
};
