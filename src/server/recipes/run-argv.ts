import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { CommandLimits } from "@/server/exec/sandbox/limits";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { watchTree } from "@/server/exec/sandbox/watch-tree";
import { createOutputRing, type OutputRing } from "@/server/exec/output-ring";
import type { CallDirectory } from "./call-directory";

export type ArgvOptions = {
  argv: readonly string[];
  directory: CallDirectory;
  limits: CommandLimits;
  /** Of the proxy of the call, if it has one. */
  proxySocket: string | undefined;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Called with output of both streams, as it comes. */
  onOutput: (bytes: Buffer) => void;
};

export type ArgvResult = {
  /** 128 + signal after a signal. */
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Why the server ended the command, as a sentence. */
  note?: string;
};

/** Exit codes from here on are signals. */
const SIGNAL_EXIT = 128;
/** Output of each stream that is kept: its end. */
const KEPT_BYTES = 512 * 1024;

/**
 * Runs a program with its arguments in the sandbox, and waits until all its processes have ended.
 *
 * @throws what the signal was aborted with, after all processes have ended; {Error} when it could not be started.
 */
export const runArgv = async (sandbox: Sandbox, options: ArgvOptions): Promise<ArgvResult> => {
  const { argv, directory, proxySocket, env, signal, onOutput } = options;
  const track = await directory.count();
  signal.throwIfAborted();
  const launch = sandbox.launch({ argv, env, proxySocket, cwd: "", ...directory.mounts });
  const child = spawn(launch.file, launch.args, {
    cwd: launch.cwd,
    env: launch.env,
    detached: launch.detached,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [child.stdout, child.stderr].map((stream) => collect(stream, onOutput));
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject);
  child.once("close", (code, killedBy) =>
    resolve(code ?? SIGNAL_EXIT + (killedBy ? constants.signals[killedBy] : 0)),
  );
  if (child.pid === undefined)
    return await ended.then(() => ({ exitCode: 1, stdout: "", stderr: "" }));
  let note: string | undefined;
  const tree = watchTree({
    pid: child.pid,
    launch,
    workspace: directory.measured,
    measureWorkspace: directory.measure,
    disk: track(),
    limits: { ...options.limits, workspaceBytes: directory.maxBytes },
    onExceeded: (limit) => (note = EXCEEDED[limit]),
  });
  const endTree = (): void => void tree.end().catch(() => undefined);
  child.once("exit", endTree);
  signal.addEventListener("abort", endTree, { once: true });
  if (signal.aborted) endTree();
  try {
    const exitCode = await ended;
    await tree.end();
    signal.throwIfAborted();
    const [stdout = "", stderr = ""] = output.map(readText);
    return { exitCode, stdout, stderr, ...(note !== undefined && { note }) };
  } finally {
    signal.removeEventListener("abort", endTree);
    await tree.end();
  }
};

const collect = (stream: Readable, onOutput: (bytes: Buffer) => void): OutputRing => {
  const ring = createOutputRing(KEPT_BYTES);
  stream.on("data", (chunk: Buffer) => {
    ring.write(chunk);
    onOutput(chunk);
  });
  // Its end comes with the end of the command, whatever it is.
  stream.on("error", () => undefined);
  return ring;
};

const readText = (ring: OutputRing): string => {
  const { bytes, dropped } = ring.readNew({ isComplete: true });
  const text = bytes.toString();
  return dropped > 0 ? `[… ${dropped} bytes before this are no longer kept …]\n${text}` : text;
};

const EXCEEDED = {
  memory: "The command used too much memory, so the server ended it.",
  processes: "The command started too many processes, so the server ended it.",
  workspace: "The command wrote more than its directory may hold, so the server ended it.",
  workspaces:
    "The command wrote while the files of all chats together hold as much as they may, so the server ended it.",
} as const;
