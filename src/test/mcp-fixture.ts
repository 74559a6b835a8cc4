import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { v7 as uuidv7 } from "uuid";
import { onTestFinished } from "vitest";
import type { JsonObject } from "@/contract/json";
import { McpServerInput } from "@/contract/mcp-server";
import type { CommandBudget } from "@/server/exec/budget/command-budget";
import { createPlainProcess } from "@/server/exec/sandbox/plain-process";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import type { ConnectDeps } from "@/server/mcp/connect-server";
import { createMcpLister } from "@/server/mcp/tools/mcp-lister";
import { createMcpServers, type McpServers } from "@/server/mcp/mcp-servers";
import { createServerDirectories } from "@/server/mcp/server-directories";
import type { McpServerRecord } from "@/server/mcp/server-record";
import type { McpVariables } from "@/server/mcp/variable-access";
import { prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { runTool } from "@/server/tools/run-tool";
import type { ToolOutcome } from "@/server/tools/settle";
import { createToolSources } from "@/server/tools/tool-source";
import { createToolbox } from "@/server/tools/toolbox";
import { TEST_CIPHER } from "./test-secret";
import {
  noCommands,
  prepareDeps,
  recordedDeps,
  type RecordedDeps,
  toolScope,
} from "./tool-fixture";
import { LARGE_BUDGET } from "./test-budget";

export const NO_VARIABLES: McpVariables = { values: {}, destinations: {}, recordedUses: [] };

/** A process without MCP servers, whatever is stored. */
export const NO_MCP_SERVERS = createMcpServers({
  listRecords: () => Promise.resolve([]),
  ...noCommands,
  openDirectory: () => Promise.reject(new Error("no directories here")),
  removeDirectory: () => Promise.resolve(),
  variables: NO_VARIABLES,
  decryptSecret: () => undefined,
  ownPort: 0,
});

type Transport = McpServerInput["transport"];

const program = (name: string): string => path.join(import.meta.dirname, "programs", name);

const runFile = (file: string, args: string[]): Transport =>
  McpServerInput.shape.transport.parse({
    type: "stdio",
    command: process.execPath,
    args: [file, ...args],
  });

/** A program of these tests, with the Node.js that they run in. */
export const runProgram = (name: string, ...args: string[]): Transport =>
  runFile(program(name), args);

/** The program of the reference server. */
const EVERYTHING = path.resolve(
  "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

/** The reference server by its standard input and output. */
export const runEverything = (): Transport => runFile(EVERYTHING, ["stdio"]);

/** Starts the reference server by HTTP. @returns its address, and its process. */
export const startEverything = async (port = 0): Promise<{ url: string; child: ChildProcess }> => {
  const preload = ["--import", program("listen-on-loopback.mjs")];
  const child = spawn(process.execPath, [...preload, EVERYTHING, "streamableHttp"], {
    env: { NODE_ENV: "test", PORT: `${port}` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stderr })) {
    if (/^\d+$/.test(line)) {
      child.stderr.resume();
      return { url: `http://127.0.0.1:${line}/mcp`, child };
    }
  }
  throw new Error("the server has ended");
};

/** The ways in which a server is reached. */
export const MCP_WAYS = ["stdio", "http"] as const;

/** The reference server, started as the way needs it. */
export const reachEverything = async (way: (typeof MCP_WAYS)[number]): Promise<Transport> => {
  if (way === "stdio") return runEverything();
  const { url } = await startEverything();
  return { type: "http", url, headers: {}, allow_private: true };
};

export const toRecord = (
  transport: Transport,
  changes: Partial<McpServerInput> = {},
): McpServerRecord => ({
  id: uuidv7(),
  declaration: McpServerInput.parse({ name: "test", transport, approval: "never", ...changes }),
  encryptedSecrets: {},
  updatedAt: new Date(),
});

/** Programs take seconds to start on a busy machine. */
const LONG_WAITS = { ready: 50_000, required: 50_000 };

type Options = Pick<ConnectDeps, "connectMs"> & {
  sandbox?: Sandbox;
  budget?: CommandBudget;
  variables?: McpVariables;
};

/** The MCP servers of a process, with a data directory of its own. The caller stops them. */
export const createTestServers = (
  listRecords: () => Promise<readonly McpServerRecord[]>,
  { sandbox = createPlainProcess(uuidv7), variables = NO_VARIABLES, ...options }: Options = {},
): { servers: McpServers; dataDir: string } => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-mcp-"));
  const directories = createServerDirectories(dataDir);
  const servers = createMcpServers({
    listRecords,
    sandbox,
    budget: LARGE_BUDGET,
    openDirectory: directories.open,
    removeDirectory: directories.remove,
    variables,
    decryptSecret: TEST_CIPHER.decrypt,
    ownPort: 1,
    waits: LONG_WAITS,
    ...options,
  });
  return { servers, dataDir };
};

/** The MCP servers of a process without a database, and calls of their tools as a turn makes them. */
export const createMcpFixture = (records: readonly McpServerRecord[], options: Options = {}) => {
  let stored = records;
  const { servers, dataDir } = createTestServers(() => Promise.resolve(stored), options);
  onTestFinished(() => servers.stop());
  const createBox = async (recorded: RecordedDeps) => {
    const { saveArtifact } = recorded.deps;
    const lister = createMcpLister(servers, { saveArtifact });
    return createToolbox(createToolSources([], { mcp: lister }), toolScope());
  };
  const prepare = async (name: string, args: JsonObject, recorded: RecordedDeps) => {
    const toolbox = await createBox(recorded);
    const request = { toolCallId: "call-1", toolName: name, args, approved: false };
    const prepared = await prepareCalls([request], prepareDeps(recorded.deps, toolbox));
    return requirePrepared(prepared, "call-1");
  };
  return {
    servers,
    dataDir,
    /** Replaces the stored servers. */
    store: (changed: readonly McpServerRecord[]) => {
      stored = changed;
      return servers.sync();
    },
    toolbox: () => createBox(recordedDeps()),
    prepare: (name: string, args: JsonObject = {}) => prepare(name, args, recordedDeps()),
    call: async (
      name: string,
      args: JsonObject = {},
      recorded: RecordedDeps = recordedDeps(),
    ): Promise<ToolOutcome> =>
      runTool("call-1", await prepare(name, args, recorded), recorded.deps),
  };
};

/** Waits until a child has ended. */
export const waitForExit = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
};
