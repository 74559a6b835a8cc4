import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { createInnerSettings } from "@/server/exec/sandbox/inner-command";
import { createPerlProgram, type PerlValue } from "@/server/exec/sandbox/perl-program";
import { createSystemCallFilter } from "@/server/exec/sandbox/system-call-filter";

export type PerlRun = {
  files: readonly string[];
  /** Calls functions of the files. */
  script?: string;
  /** Values of `$settings` that differ from those of a server that is not root's. */
  settings?: Readonly<Record<string, PerlValue>>;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdio?: StdioOptions;
};

export type PerlOutcome = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

/** Starts a program of files of `src/server/exec/sandbox/perl`, in a process group of its own. */
export const startPerl = ({
  files,
  script = "",
  settings,
  args = [],
  env = {},
  stdio = ["ignore", "pipe", "pipe"],
}: PerlRun): ChildProcess => {
  const inner = createInnerSettings(false);
  const filter = createSystemCallFilter(inner.machine).toString("hex");
  const program = createPerlProgram({ ...inner, server: process.pid, filter, ...settings }, [
    ...files,
    script,
  ]);
  return spawn("perl", ["-e", program, ...args], {
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
    stdio,
    detached: true,
  });
};

/** Reads what a program prints until it ends. */
export const readPerl = async (child: ChildProcess): Promise<PerlOutcome> => {
  const ended = new Promise<Pick<PerlOutcome, "exitCode" | "signal">>((resolve) =>
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  return { ...(await ended), stdout, stderr };
};

const readAll = (stream: Readable | null): Promise<string> =>
  stream ? text(stream) : Promise.resolve("");

export const runPerl = (run: PerlRun): Promise<PerlOutcome> => readPerl(startPerl(run));
