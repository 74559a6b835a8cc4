import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { v7 as uuidv7 } from "uuid";
import type { ExecResult } from "@/contract/exec";
import type { JsonObject } from "@/contract/json";
import type { CommandBudget } from "@/server/exec/budget/command-budget";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { createExecSessions, type SessionHolds } from "@/server/exec/exec-sessions";
import { createExecTool } from "@/server/exec/exec-tool";
import type { StartedSession } from "@/server/exec/session-actions";
import { openTask } from "@/server/tasks/open-task";
import type { ToolOutcome } from "@/server/tools/settle";
import type { CallDeps } from "@/server/tools/tool-context";
import { openWorkspace } from "@/server/tools/workspace/workspace";
import { LARGE_BUDGET } from "./test-budget";
import { callTool, recordedDeps, type RecordedDeps, workspaceOptions } from "./tool-fixture";

/** Finds the sandbox of this machine. */
export const findTestSandbox = async (): Promise<Sandbox> => {
  const { sandbox, failures } = await findSandbox("auto", { privateDirectories: [] });
  if (!sandbox) throw new Error(`no sandbox: ${JSON.stringify(failures)}`);
  return sandbox;
};

const freeHolds: SessionHolds = {
  hold: () => Promise.resolve("renewed"),
  release: () => Promise.resolve(),
};

type ExecSetup = {
  sandbox?: Sandbox;
  budget?: CommandBudget;
  holds?: SessionHolds;
  idleMs?: number;
  sweepMs?: number;
  maxEndedBytes?: number;
  started?: StartedSession[];
  /** Of all workspaces together. */
  maxMegabytes?: number;
};

/** The tool `exec` with a real sandbox, a workspace of its own for each chat, and no database. */
export const createExecFixture = async ({
  started = [],
  budget = LARGE_BUDGET,
  maxMegabytes,
  ...options
}: ExecSetup = {}) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-exec-"));
  const workspaces = workspaceOptions(dataDir, maxMegabytes);
  const sessions = createExecSessions({ holds: freeHolds, ...options });
  const { saveArtifact, saved } = createArtifacts();
  const sandbox = options.sandbox ?? (await findTestSandbox());
  const tool = createExecTool({
    openWorkspace: ({ rootChatId }) => openWorkspace(workspaces, rootChatId),
    saveArtifact,
    sandbox,
    budget,
    sessions,
    listStartedSessions: () => Promise.resolve(started),
  });
  const open: CallDeps["openTask"] = (call) =>
    openTask({
      id: uuidv7(),
      call,
      controller: new AbortController(),
      saveArtifact,
      maxOutputBytes: 64 * 1024,
      begin: (end) => Promise.resolve({ ended: end.then(() => undefined) }),
    });
  /** Calls the tool in a new chat, unless one is given. */
  const call = (
    args: JsonObject,
    { chatId = uuidv7(), recorded = recordedDeps(), approved = false }: CallOptions = {},
  ): Promise<ToolOutcome> => {
    const step = { ...recorded.deps.step, chatId, rootChatId: chatId };
    const deps = { ...recorded.deps, maxOutputBytes: 64 * 1024, step, openTask: open };
    return callTool({ name: "exec", args, tools: [tool], approved }, { deps });
  };
  return {
    tool,
    sessions,
    workspaces,
    saved,
    call,
    /** Calls the tool and returns the output of a call that did not fail. */
    exec: async (args: JsonObject, options: CallOptions = {}): Promise<ExecResult> => {
      const outcome = await call(args, options);
      if (outcome.isError) throw new Error(JSON.stringify(outcome.output));
      return outcome.output as ExecResult;
    },
    /** Calls the tool and returns the message of a call that failed. */
    fail: async (args: JsonObject, options: CallOptions = {}): Promise<string> => {
      const outcome = await call(args, options);
      if (!outcome.isError) throw new Error(`no failure: ${JSON.stringify(outcome.output)}`);
      return outcome.output as string;
    },
  };
};
export type ExecFixture = Awaited<ReturnType<typeof createExecFixture>>;

type CallOptions = { chatId?: string; recorded?: RecordedDeps; approved?: boolean };

const createArtifacts = () => {
  const { deps, saved } = recordedDeps();
  return { saveArtifact: deps.saveArtifact, saved };
};

/** Finds the processes of this machine whose command line contains a text. */
export const findProcesses = (text: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readCommandLine(pid).includes(text))
    .map(Number);

const readCommandLine = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended.
    return "";
  }
};
