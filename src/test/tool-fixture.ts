import { createShippedAgentTypes } from "@/contract/agent-type";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "@/contract/json";
import type { Artifact } from "@/contract/part";
import type { PreviewOp } from "@/contract/stream-event";
import { toByteSource } from "@/lib/byte-source";
import { type PrepareDeps, prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { createTools, type ToolDeps } from "@/server/app/tool-registry";
import { createRecipeFiles } from "@/server/recipes/files/recipe-files";
import type { RecipeDeps } from "@/server/recipes/run-recipe";
import type { TaskRuns } from "@/server/tasks/task-runs";
import { runTool } from "@/server/tools/run-tool";
import type { ToolOutcome } from "@/server/tools/settle";
import { listExploreTools, type Tool } from "@/server/tools/tool";
import type { CallDeps, NewArtifact, StepContext } from "@/server/tools/tool-context";
import type { ToolScope } from "@/server/tools/tool-context";
import { createToolSources } from "@/server/tools/tool-source";
import { createToolbox, type Toolbox } from "@/server/tools/toolbox";
import { createWebDeps, type WebSettings } from "@/server/tools/web/web-deps";
import type { WorkspaceOptions } from "@/server/tools/workspace/workspace";
import {
  createWorkspaceQuota,
  type WorkspaceQuota,
} from "@/server/tools/workspace/workspace-quota";
import { LARGE_BUDGET } from "./test-budget";

export type RecordedDeps = {
  deps: CallDeps;
  saved: (NewArtifact & { bytes: Uint8Array; toolCallId: string | null; id: string })[];
  ops: PreviewOp[];
  logged: { level: string; fields: object; message: string }[];
  abort: (reason?: unknown) => void;
};

type Changes = Partial<Omit<CallDeps, "step">> & { step?: Partial<StepContext> };

const id = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const NO_PROCESS = "no process is there to work on tasks";

/** A process that works on no tasks. */
export const NO_TASKS: TaskRuns = {
  open: () => {
    throw new Error(NO_PROCESS);
  },
  check: () => Promise.resolve(),
  beat: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** Dependencies of a call that record what it does: a fixed clock, counted ids, nothing stored. */
export const recordedDeps = ({ step, ...changes }: Changes = {}): RecordedDeps => {
  const controller = new AbortController();
  const saved: RecordedDeps["saved"] = [];
  const ops: PreviewOp[] = [];
  const logged: RecordedDeps["logged"] = [];
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, fields, message });
  };
  const deps: CallDeps = {
    step: {
      chatId: id(1),
      rootChatId: id(1),
      userId: "user-1",
      agentLevel: "root",
      labels: {},
      actor: "user-1",
      turnId: id(2),
      messageId: id(3),
      channel: "web",
      now: () => new Date("2026-03-29T00:59:30.250Z"),
      newId: () => id(9),
      signal: controller.signal,
      log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
      running: {},
      ...step,
    },
    emit: (op) => ops.push(op),
    elicit: () => Promise.reject(new Error("nobody is there to be asked")),
    openTask: () => {
      throw new Error(NO_PROCESS);
    },
    saveArtifact: ({ toolCallId }, file): Promise<Artifact> => {
      const artifactId = id(100 + saved.length);
      const source = file.bytes instanceof Uint8Array ? toByteSource(file.bytes) : file.bytes;
      const bytes = new Uint8Array(source.length);
      source.read(bytes, 0);
      saved.push({ ...file, bytes, toolCallId, id: artifactId });
      return Promise.resolve({
        id: artifactId,
        name: file.name,
        media_type: file.mediaType,
        size: file.bytes.length,
      });
    },
    maxOutputBytes: 4_096,
    onTruncated: () => undefined,
    ...changes,
  };
  return { deps, saved, ops, logged, abort: (reason) => controller.abort(reason) };
};

/** A process that cannot run commands. */
export const noCommands = {
  sandbox: { unavailable: "Tests of other tools run no commands." },
  budget: LARGE_BUDGET,
  sessions: undefined,
} satisfies Partial<ToolDeps>;

/** What recipes run with where tests run none. */
export const NO_COMMANDS_FOR_RECIPES: RecipeDeps = {
  sandbox: noCommands.sandbox,
  budget: noCommands.budget,
  fetchPage: () => Promise.reject(new Error("no network here")),
  openProxy: () => Promise.reject(new Error("no network here")),
  openWorkspace: undefined,
  openShare: createWorkspaceQuota(join(tmpdir(), "parley-no-workspaces"), 1_024).open,
};

/** A server without files of recipes. */
export const NO_RECIPE_FILES = createRecipeFiles(undefined);

/** A server that is connected with no MCP server. */
export const NO_MCP_SERVERS = { listLinks: () => Promise.resolve([]) };

/** No private address is reached, and no search provider is configured. */
export const WEB_SETTINGS: WebSettings = {
  webAllow: [],
  port: 0,
  webSearch: { use: "auto", tavilyApiKey: null, braveApiKey: null, searxngUrl: null },
};

/** Dependencies of the built-in tools: no advisor, no commands, a workspace that stays empty, and the public web. */
export const emptyToolDeps: ToolDeps = {
  ...createWebDeps(WEB_SETTINGS),
  saveArtifact: (call, file) => recordedDeps().deps.saveArtifact(call, file),
  openArtifact: () => Promise.resolve(undefined),
  openWorkspace: () => ({
    list: () => Promise.resolve({ entries: [], total: 0 }),
    read: () => Promise.resolve(new Uint8Array()),
    readRange: () => Promise.resolve(new Uint8Array()),
    write: () => Promise.resolve({ created: true }),
    change: () => Promise.resolve({ created: true }),
    move: () => Promise.resolve(),
    remove: () => Promise.resolve({ wasDirectory: false }),
    locate: () => Promise.resolve(undefined),
    enter: () => Promise.reject(new Error("this workspace is no directory")),
  }),
  workspacesProblem: undefined,
  ...noCommands,
  listStartedSessions: () => Promise.resolve([]),
  listTasks: () => Promise.resolve([]),
  cancelTask: () => Promise.resolve(undefined),
  describeTypes: () => Promise.resolve("Types: general."),
  startAgent: () => Promise.reject(new Error("no agents here")),
  listAgents: () => Promise.resolve({ agents: [], total: 0 }),
  messageAgent: () => Promise.reject(new Error("no agents here")),
  interruptAgent: () => Promise.resolve(false),
  waitFor: () => Promise.reject(new Error("no agents here")),
};

/** What the workspaces of a data directory need, for chats that exist and without a limit that matters. */
export const workspaceOptions = (
  dataDir: string,
  maxMegabytes = 1_024,
): WorkspaceOptions & { quota: WorkspaceQuota } => {
  const directory = join(dataDir, "workspaces");
  const quota = createWorkspaceQuota(directory, maxMegabytes);
  return { directory, quota, chatExists: () => Promise.resolve(true) };
};

/** The built-in tools on those dependencies. */
export const builtinTools: readonly Tool[] = Object.values(createTools(emptyToolDeps));

export const EXPLORE_TOOLS = listExploreTools(builtinTools);
export const SHIPPED_AGENT_TYPES = createShippedAgentTypes(EXPLORE_TOOLS);

/** The scope of a root chat that has an advisor and no dynamic tools. */
export const toolScope = (changes: Partial<ToolScope> = {}): ToolScope => {
  const { chatId, rootChatId, userId, log } = recordedDeps().deps.step;
  const chat = { chatId, rootChatId, userId, isRoot: true, dynamicTools: [], toolNames: null };
  return { ...chat, hasAdvisor: true, toolModes: {}, log, ...changes };
};

/** What preparing a call needs, in a chat without approval rules. */
export const prepareDeps = ({ step }: CallDeps, toolbox: Toolbox): PrepareDeps => ({
  toolbox,
  chat: step,
  hasApprovalRule: () => Promise.resolve(false),
  log: step.log,
});

/** The identity of a call of the recorded chat. */
export const CALL_IDENTITY = { chatId: id(1), toolCallId: "call-1" };

type TestCall = {
  name: string;
  args: JsonValue;
  tools?: readonly Tool[];
  scope?: ToolScope;
  approved?: boolean;
};

/** Prepares and runs one call of a built-in tool. */
export const callTool = async (
  { name, args, tools = builtinTools, scope = toolScope(), approved = false }: TestCall,
  { deps }: Pick<RecordedDeps, "deps"> = recordedDeps(),
): Promise<ToolOutcome> => {
  const toolbox = await createToolbox(createToolSources(tools), scope);
  const request = { toolCallId: "call-1", toolName: name, args, approved };
  const prepared = await prepareCalls([request], prepareDeps(deps, toolbox));
  return runTool("call-1", requirePrepared(prepared, "call-1"), deps);
};
