// Runs commands in the sandbox of its first argument, as a server with secrets, data and a port would. Tests start it as
// different accounts and send it requests; without a parent to answer to, it prints the outcome of the one in its
// second argument.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import { findHostPrograms } from "@/server/exec/sandbox/host-programs";
import { PROXY_VARIABLES } from "@/server/exec/sandbox/proxy-variables";
import { createCommandLimits, type TreeLimits } from "@/server/exec/sandbox/limits";
import { chooseProcessors } from "@/server/exec/sandbox/processors";
import { type ExceededLimit, watchTree } from "@/server/exec/sandbox/watch-tree";
import type { ExecSandboxMode } from "@/server/env";
import { startPty } from "@/server/exec/running-command";
import type { Launch } from "@/server/exec/sandbox/sandbox";
import { measureUsage } from "@/server/tools/workspace/workspace-usage";

export type CommandRequest = {
  script: string;
  timeoutMs?: number;
  limits?: Partial<TreeLimits>;
  /** What the environment has besides. */
  env?: Record<string, string>;
  /** Whether the command has a proxy. */
  hasProxy?: boolean;
  /** Whether the command has a second directory. */
  hasCallDirectory?: boolean;
  /** Whether it has the network of the host. */
  network?: boolean;
  /** Whether it runs in a terminal, with all output in one. */
  terminal?: boolean;
  /** Whether the runner dies by SIGKILL instead of ending the command at its timeout. */
  crash?: boolean;
};
export type CommandOutcome = {
  exitCode: number | null;
  output: string;
  exceeded: ExceededLimit | null;
  hasEnded: boolean;
  durationMs: number;
  workspaceBytes: number;
  /** Bytes that the runner read, and its memory while it did. */
  bytes: number;
  memoryPeak: number;
};
export type RunnerState = {
  dataDir: string;
  port: number;
  pid: number;
  connections: number;
  secretFile: string;
  problem: string | null;
};

const SECRET = "a secret of the server";
const OUTPUT_CHARACTERS = 64 * 1024;
/** Only a command that hangs takes longer. */
const DEFAULT_TIMEOUT_MS = 60_000;
const WORKSPACE_BYTES = 256 * 1024 * 1024;

process.title = "parley-runner";
const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-commands-"));
chmodSync(dataDir, 0o700);
const workspace = path.join(dataDir, "workspaces/one");
const otherWorkspace = path.join(dataDir, "workspaces/two");
const callDirectory = path.join(dataDir, "call");
for (const directory of [workspace, otherWorkspace, callDirectory]) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(directory, "secret"), SECRET);
}
const secretFile = path.join(dataDir, "secret");
writeFileSync(secretFile, SECRET);
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));

let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.end("reached");
});
await new Promise<void>((resolve) => server.listen(0, resolve));
const address = server.address();
const port = typeof address === "object" && address ? address.port : 0;

const [, , kind, argument = ""] = process.argv;
// Without a parent, it is the request.
const execPaths = process.send ? argument : "";
const { sandbox, failures } = await findSandbox(kind as ExecSandboxMode, {
  privateDirectories: [dataDir],
  resources: { limits: createCommandLimits(), processors: chooseProcessors(1) },
  ...(execPaths !== "" && {
    programs: await findHostPrograms(execPaths.split(":"), {
      privateDirectories: [dataDir],
      nodePrefixes: [],
    }),
  }),
});
for (const directory of [workspace, callDirectory]) await sandbox?.prepareWorkspace(directory);

const proxySocket = path.join(dataDir, "proxy");
const proxy = createHttpServer((request, response) => response.end(`proxy: ${request.url}\n`));
await new Promise<void>((resolve) => proxy.listen(proxySocket, resolve));
chmodSync(proxySocket, 0o666);

type Child = { pid: number; ended: Promise<number | null> };

const start = (
  { file, args, cwd, env, detached }: Launch,
  onOutput: (bytes: Buffer) => void,
): Child => {
  const child = spawn(file, args, { cwd, env, detached, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", onOutput);
  return { pid: child.pid ?? 0, ended: new Promise((resolve) => child.on("close", resolve)) };
};

const startInTerminal = (launch: Launch, onOutput: (bytes: Buffer) => void): Child => {
  const size = { columns: 80, rows: 24 };
  const { pid, ended } = startPty({
    launch,
    hasInput: true,
    size,
    onOutput,
    onExit: () => undefined,
  });
  return { pid, ended: ended.then(({ exitCode }) => exitCode ?? null) };
};

const run = async (request: CommandRequest): Promise<CommandOutcome> => {
  if (!sandbox) throw new Error(JSON.stringify(failures));
  const {
    script,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    limits,
    crash,
    env: added,
    hasProxy = false,
    hasCallDirectory = false,
    network = false,
  } = request;
  const launch = sandbox.launch({
    argv: ["/bin/bash", "-c", script],
    workspace,
    cwd: "",
    network,
    ...(hasProxy && { proxySocket }),
    ...(hasCallDirectory && { callDirectory }),
    env: {
      PATH: sandbox.environment.PATH,
      DATA: dataDir,
      PORT: String(port),
      SERVER: String(process.pid),
      ...(hasProxy && PROXY_VARIABLES),
      ...added,
    },
  });
  const started = performance.now();
  let [output, bytes, memoryPeak] = ["", 0, 0];
  const child = (request.terminal ? startInTerminal : start)(launch, (chunk) => {
    bytes += chunk.length;
    memoryPeak = Math.max(memoryPeak, process.memoryUsage.rss());
    if (output.length < OUTPUT_CHARACTERS) output += chunk.toString();
  });
  const measureWorkspace = async (): Promise<number> => (await measureUsage(workspace)).diskBytes;
  let exceeded: ExceededLimit | null = null;
  const tree = watchTree({
    pid: child.pid,
    launch,
    workspace,
    limits: { ...createCommandLimits(), workspaceBytes: WORKSPACE_BYTES, ...limits },
    measureWorkspace,
    onExceeded: (limit) => (exceeded = limit),
  });
  let ended: Promise<boolean> | undefined;
  const timer = setTimeout(() => {
    if (crash) process.kill(process.pid, "SIGKILL");
    else ended = tree.end();
  }, timeoutMs);
  const exitCode = await child.ended;
  clearTimeout(timer);
  const durationMs = performance.now() - started;
  const hasEnded = await (ended ?? tree.end());
  const workspaceBytes = await measureWorkspace();
  return { exitCode, output, exceeded, hasEnded, durationMs, workspaceBytes, memoryPeak, bytes };
};

const describeState = (): RunnerState => ({
  dataDir,
  port,
  pid: process.pid,
  connections,
  secretFile,
  problem: sandbox && readFileSync(secretFile, "utf8") === SECRET ? null : JSON.stringify(failures),
});

if (process.send) {
  process.on("message", (request: CommandRequest | "state") => {
    if (request === "state") process.send?.(describeState());
    else
      run(request).then(
        (outcome) => process.send?.(outcome),
        () => process.exit(1),
      );
  });
  process.on("disconnect", () => process.exit());
  process.send(describeState());
} else {
  const outcome = await run(JSON.parse(argument) as CommandRequest);
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  process.exit();
}
