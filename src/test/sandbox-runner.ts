import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { CommandOutcome, CommandRequest, RunnerState } from "./programs/command-runner";
import { listProcesses } from "./list-processes";
import { bundleTestProgram } from "./start-program";

export const MEGABYTE = 1024 * 1024;

const isRoot = process.getuid?.() === 0;
/** Becomes an account that owns nothing, by a program that is started as root. */
const LEAVE_ROOT = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
/** A command that becomes the program of its arguments, of an ordinary user. */
export const ordinaryLauncher: readonly string[] = isRoot ? LEAVE_ROOT : [];

export const hasBubblewrap = existsSync("/usr/bin/bwrap");
const kinds = hasBubblewrap ? (["bubblewrap", "unshare"] as const) : (["unshare"] as const);
const accounts: readonly { account: string; launcher: readonly string[] }[] = [
  { account: "an ordinary user", launcher: ordinaryLauncher },
  ...(isRoot ? [{ account: "root", launcher: [] }] : []),
];
/** What a server runs commands in, and what starts the server as an account. */
export type SandboxRow = {
  kind: "bubblewrap" | "unshare" | "none";
  account: string;
  launcher: readonly string[];
};
/** Each sandbox of this machine, with each account that the tests can become. */
export const sandboxRows: readonly SandboxRow[] = accounts.flatMap((row) =>
  kinds.map((kind) => ({ ...row, kind })),
);
/** The same, and without a sandbox. */
export const allRows: readonly SandboxRow[] = [
  ...sandboxRows,
  ...accounts.map((row) => ({ ...row, kind: "none" as const })),
];

/** How a command is started, besides: with pipes, or in a terminal. */
export type Variant = SandboxRow & { way: "pipes" | "a terminal"; terminal: boolean };
const inBothWays = (rows: readonly SandboxRow[]): readonly Variant[] =>
  rows.flatMap((row) => [
    { ...row, way: "pipes" as const, terminal: false },
    { ...row, way: "a terminal" as const, terminal: true },
  ]);
/** Each sandbox with each account, with pipes and in a terminal. */
export const sandboxVariants = inBothWays(sandboxRows);
/** The same, and without a sandbox. */
export const allVariants = inBothWays(allRows);
/**
 * Half of them, for what takes longer: each sandbox with each account and in each way, and each account in each way. All
 * are taken by `npm run test:deep`.
 */
export const pairedVariants = allVariants.filter(
  ({ kind, account, terminal }) => terminal === ((account === "root") !== (kind === "unshare")),
);

export type RunnerProgram = {
  directory: string;
  /** Node.js and the program `command-runner`. */
  command: readonly [node: string, program: string];
  remove: () => Promise<void>;
};

/** Copies what starts a runner to where each account can read it, wherever the project is checked out. */
export const copyRunnerProgram = async (): Promise<RunnerProgram> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "parley-runner-"));
  await chmod(directory, 0o755);
  const [node, program] = [path.join(directory, "node"), path.join(directory, "runner.mjs")];
  await copyFile(process.execPath, node);
  await copyFile(await bundleTestProgram("command-runner"), program);
  for (const file of [node, program]) await chmod(file, 0o755);
  // What starts terminals has a part for this machine, so it cannot be a part of the program.
  const terminals = path.join("node_modules", "@lydell");
  await cp(terminals, path.join(directory, terminals), { recursive: true });
  return {
    directory,
    command: [node, program],
    remove: () => rm(directory, { recursive: true }),
  };
};

/** A server that runs commands in its sandbox, in a separate process. */
export type Runner = {
  state: () => Promise<RunnerState>;
  run: (request: CommandRequest) => Promise<CommandOutcome>;
  process: ChildProcess;
};

/**
 * Starts a runner by a command that ends with those of `copyRunnerProgram` and the kind of its sandbox.
 *
 * @throws {Error} when it has no sandbox.
 */
export const startRunner = async (command: readonly string[], cwd: string): Promise<Runner> => {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, PARLEY_SECRET: "a secret of the server" },
    cwd,
  });
  const ended = once(child, "exit").then(() => {
    throw new Error("the runner ended");
  });
  // Awaited with each message; its end after the last one is no failure.
  ended.catch(() => undefined);
  const read = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, "message"), ended])) as unknown[];
    return message;
  };
  const ready = (await read()) as RunnerState;
  if (ready.problem !== null) throw new Error(`no sandbox: ${ready.problem}`);
  const request = async (message: CommandRequest | "state"): Promise<unknown> => {
    const answer = read();
    child.send(message);
    return answer;
  };
  return {
    process: child,
    state: async () => (await request("state")) as RunnerState,
    run: async (message) => {
      const outcome = (await request(message)) as CommandOutcome;
      // As it was printed: a terminal changes the ends of lines.
      return { ...outcome, output: outcome.output.replaceAll("\r\n", "\n") };
    },
  };
};

/** Copies what starts a runner before the tests of a file, and removes it after them. */
export const useRunnerProgram = (): (() => RunnerProgram) => {
  let program: RunnerProgram | undefined;
  beforeAll(async () => {
    program = await copyRunnerProgram();
  });
  afterAll(() => program?.remove());
  return () => {
    if (!program) throw new Error("a program is copied before the tests");
    return program;
  };
};

/** Starts a runner before the tests of a block, and ends it after them. */
export const useRunner = (
  program: () => RunnerProgram,
  { kind, launcher }: Pick<SandboxRow, "kind" | "launcher">,
): (() => Runner) => {
  let started: Runner | undefined;
  const runner = (): Runner => {
    if (!started) throw new Error("a runner is started before the tests");
    return started;
  };
  beforeAll(async () => {
    started = await startRunner([...launcher, ...program().command, kind], program().directory);
  });
  afterAll(async () => {
    // The server has survived everything, its data are as before, and no command has reached it.
    expect(await runner().state()).toMatchObject({ problem: null, connections: 0 });
    await endRunner(runner());
  });
  return runner;
};

export const endRunner = async ({ process: child }: Runner): Promise<void> => {
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
};

/** Processes of the host whose command line has a text. */
export const findProcesses = (text: string): string[] =>
  listProcesses("-eo", "pid,args").filter((line) => line.includes(text));
