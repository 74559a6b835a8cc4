import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { CommandBudget, CommandRequest } from "@/server/exec/budget/command-budget";
import type { CommandLimits } from "@/server/exec/sandbox/limits";
import { maskSecrets } from "@/server/mask-secrets";
import type { Launch, Sandbox } from "@/server/exec/sandbox/sandbox";
import { type WatchedTree, watchTree } from "@/server/exec/sandbox/watch-tree";
import { explainMissingProgram } from "@/server/exec/missing-program";
import { createOutputRing } from "@/server/exec/output-ring";
import { measureUsage } from "@/server/tools/workspace/workspace-usage";
import { describeFailure } from "./describe-failure";
import { createLineReader } from "./line-reader";
import { loadSdk } from "./load-sdk";
import { MAX_MESSAGE_BYTES, type ServerTransport, TOO_LONG } from "./server-transport";

export type StdioOptions = {
  /** Of the server. */
  id: string;
  sandbox: Sandbox;
  budget: CommandBudget;
  /** Ends the waiting for memory. */
  signal: AbortSignal;
  argv: readonly string[];
  /** The directory of the server, which was prepared. */
  directory: string;
  network: boolean;
  /** The whole environment of the program. */
  env: Readonly<Record<string, string>>;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** What a server may write, in bytes: packages that it installs, and a cache. */
const MAX_DIRECTORY_BYTES = 1024 * 1024 * 1024;
/** Standard error that is kept: far more than is shown, so that a secret is whole and can be masked. */
const KEPT_ERROR_BYTES = 64 * 1024;
/** The end of it that is shown, in UTF-16 units: with the sentences before it, less than what `describeFailure` shows. */
const SHOWN_ERROR_LENGTH = 600;

/** Starts a server in the sandbox and speaks with it by its standard input and output. */
export const createStdioTransport = (options: StdioOptions): ServerTransport => {
  const { budget, directory } = options;
  const errors = createOutputRing(KEPT_ERROR_BYTES);
  const { promise: ended, resolve: markEnded } = Promise.withResolvers<undefined>();
  let child: Child | undefined;
  let tree: WatchedTree | undefined;
  let problem: string | undefined;
  let isClosed = false;
  let isEnding = false;
  const describeCircumstances = () => describeOutput(errors.readKept(), options.network);
  const explainEnd = async (how: string, wasKilled: boolean): Promise<void> => {
    const wasEndedHere = isEnding && wasKilled;
    // It is known after the end of the tree whether the tree was over a limit.
    await tree?.end();
    markEnded(undefined);
    if (!wasEndedHere) {
      const sentence = `The program has ended with ${how}.`;
      problem ??= describeFailure(new Error(`${sentence} ${describeCircumstances()}`));
    }
    if (!isClosed) transport.onclose?.();
    isClosed = true;
  };
  const end = async (): Promise<void> => {
    isEnding = true;
    child?.stdin.destroy();
    await tree?.end();
  };
  const fail = (message: string): void => {
    problem ??= message;
    end().catch(() => undefined);
  };
  const startProgram = async (): Promise<void> => {
    const launch = createLaunch(options);
    child = start(launch);
    const started = waitForSpawn(child);
    child.once("close", (code, signal) => {
      explainEnd(signal ?? `exit code ${code}`, signal !== null).catch(() => undefined);
    });
    const read = createMessageReader(transport, (line) => errors.write(Buffer.from(`${line}\n`)));
    child.stdout.on("data", (chunk: Buffer) => {
      if (problem === undefined && !read(chunk)) fail(TOO_LONG);
    });
    child.stderr.on("data", (chunk: Buffer) => errors.write(chunk));
    await started;
    tree = watch(child, { launch, directory, limits: budget.limits, fail });
  };
  const transport: Transport = {
    start: () =>
      budget.run(toCommandRequest(options), async (keepUntil) => {
        await startProgram();
        keepUntil(ended);
      }),
    send: (message: JSONRPCMessage) => send(child, `${JSON.stringify(message)}\n`, fail),
    close: async () => {
      await end();
      if (!isClosed) transport.onclose?.();
      isClosed = true;
    },
  };
  return { transport, findProblem: () => problem, describeCircumstances };
};

/** @param onOther gets what a program also prints that is no message, such as an error. */
const createMessageReader = (transport: Transport, onOther: (line: string) => void) => {
  const { deserializeMessage } = loadSdk();
  return createLineReader(MAX_MESSAGE_BYTES, (line) => {
    try {
      transport.onmessage?.(deserializeMessage(line));
    } catch (error) {
      onOther(line);
      transport.onerror?.(error as Error);
    }
  });
};

/** People and models read it, so it has no secrets. */
const describeOutput = (output: Buffer, hasNetwork: boolean): string => {
  const shown = lastLines(maskSecrets(output.toString()));
  const reason = explainMissingProgram(shown) ?? (hasNetwork ? "" : NO_NETWORK);
  return `${reason} ${shown}`.trim();
};

const NO_NETWORK = "It had no network, which the settings of the server can allow.";

/** Whole lines, unless the last one is too long. */
const lastLines = (text: string): string => {
  const shown = text.trim().slice(-SHOWN_ERROR_LENGTH);
  return shown.length < SHOWN_ERROR_LENGTH ? shown : shown.slice(shown.indexOf("\n") + 1).trim();
};

/** No person waits for it in a call of its own: the settings show that it is not connected yet. */
const toCommandRequest = ({ id, signal }: StdioOptions): CommandRequest => ({
  owner: { userId: "", chatId: id },
  isLasting: true,
  signal,
  onWait: () => undefined,
});

const createLaunch = ({ sandbox, argv, directory, network, env }: StdioOptions): Launch =>
  sandbox.launch({ argv, workspace: directory, cwd: "", env, network });

const start = ({ file, args, cwd, env, detached }: Launch): Child => {
  const child = spawn(file, args, { cwd, env, detached, stdio: ["pipe", "pipe", "pipe"] });
  // Their ends come with that of the program.
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on("error", () => undefined);
  }
  return child;
};

const waitForSpawn = (child: Child): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  child.once("error", reject);
  child.once("spawn", () => resolve(undefined));
  return promise;
};

type WatchDeps = {
  launch: Launch;
  directory: string;
  limits: CommandLimits;
  fail: (message: string) => void;
};

const watch = ({ pid = 0 }: Child, { launch, directory, limits, fail }: WatchDeps): WatchedTree =>
  watchTree({
    pid,
    launch,
    workspace: directory,
    measureWorkspace: async () => (await measureUsage(directory)).diskBytes,
    limits: { ...limits, workspaceBytes: MAX_DIRECTORY_BYTES },
    onExceeded: (limit) => fail(EXCEEDED[limit]),
  });

const send = async (
  child: Child | undefined,
  text: string,
  fail: WatchDeps["fail"],
): Promise<void> => {
  const { SdkError, SdkErrorCode } = loadSdk();
  const toError = (cause?: Error) =>
    new SdkError(SdkErrorCode.NotConnected, "The program has ended.", undefined, { cause });
  if (!child?.stdin.writable) throw toError();
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  child.stdin.write(text, (error) => (error ? reject(toError(error)) : resolve(undefined)));
  if (child.stdin.writableLength > MAX_MESSAGE_BYTES) fail(UNREAD);
  await promise;
};

const UNREAD = "The program did not read what it was sent, so it was ended.";

const EXCEEDED = {
  memory: "The program used too much memory, so it was ended.",
  processes: "The program started too many processes, so it was ended.",
  workspace: "The program wrote more than its directory may hold, so it was ended.",
  workspaces: "The program wrote more than there is room for, so it was ended.",
} as const;
