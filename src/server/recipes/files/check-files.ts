import type { ChildProcess } from "node:child_process";
import path from "node:path";
import type { Readable } from "node:stream";
import type { CheckedFile, CheckMessage, CheckRequest } from "./checked-file";
import { toShownPath } from "./shown-path";

/** What one file may take to be bundled and loaded, in milliseconds. */
const MAX_CHECK_MS = 5_000;
/** What the process may take to start, on a machine that is busy. */
const MAX_START_MS = 60_000;
/** What a file may print while it is loaded, in bytes. */
const MAX_PRINTED_BYTES = 64 * 1024;
const MAX_HEAP_MB = 512;

/** Where `scripts/bundle-program.mjs` writes the program. */
const toProgramPath = (): string =>
  path.join(process.cwd(), ".next/programs/recipe-check-process.mjs");

/**
 * Loads files in a process of their own, one after another; after one that the process did not survive, in a new
 * one. Does not reject.
 */
export const checkFiles = async (
  requests: readonly CheckRequest[],
  maxCheckMs = MAX_CHECK_MS,
): Promise<CheckedFile[]> => {
  const checked: CheckedFile[] = [];
  let checker: Checker | undefined;
  for (const request of requests) {
    checker ??= startChecker();
    const answer = await checker.check(request, maxCheckMs);
    if (typeof answer !== "string") {
      checked.push(answer);
      continue;
    }
    checker.end();
    checker = undefined;
    const { folder, file } = request;
    const problem = { file: toShownPath(folder, file), message: answer };
    checked.push({ inputs: [file], problem });
  }
  checker?.end();
  return checked;
};

/** A check is answered by a sentence if the process did not survive it. */
type Checker = {
  check: (request: CheckRequest, maxMs: number) => Promise<CheckedFile | string>;
  end: () => void;
};

const startChecker = (): Checker => {
  // An import would let Next.js look for the program when it builds, but it is bundled after that.
  const { fork } = process.getBuiltinModule("node:child_process");
  const child = fork(toProgramPath(), {
    execArgv: ["--enable-source-maps", `--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ends what a file starts together with the process.
    detached: true,
  });
  const end = (): void => endGroup(child);
  // A loop in the child does not notice that this process ends.
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  const { nextMessage, interrupt } = createMailbox(child);
  let printed = 0;
  const count = (bytes: Buffer): void => {
    printed += bytes.length;
    if (printed > MAX_PRINTED_BYTES) interrupt(PRINTED);
  };
  for (const stream of [child.stdout, child.stderr] as Readable[]) stream.on("data", count);
  let started = nextMessage(MAX_START_MS, NOT_STARTED);
  return {
    check: async (request, maxMs) => {
      const ready = await started;
      if (typeof ready === "string") return NOT_STARTED;
      printed = 0;
      const answer = nextMessage(maxMs, `It took longer than ${maxMs / 1_000} s to load.`);
      // A process that has ended meanwhile answers by its exit.
      child.send(request, () => undefined);
      const message = await answer;
      if (typeof message === "string") return message;
      started = Promise.resolve({ ready: true });
      return "checked" in message ? message.checked : ENDED;
    },
    end,
  };
};

const NOT_STARTED = "The process that checks recipes did not start.";
const PRINTED = `It printed over ${MAX_PRINTED_BYTES} bytes while it was loaded.`;
const ENDED = "It ended the process that loaded it.";

/** Waits for one message at a time; what ends the wait without one is a sentence. */
const createMailbox = (child: ChildProcess) => {
  let settle: ((answer: CheckMessage | string) => void) | undefined;
  let ended: string | undefined;
  const interrupt = (sentence: string): void => {
    ended ??= sentence;
    settle?.(sentence);
  };
  child.on("message", (message: CheckMessage) => settle?.(message));
  child.once("exit", () => interrupt(ENDED));
  child.once("error", (error) => interrupt(`It could not be checked: ${error.message}`));
  const nextMessage = async (ms: number, late: string): Promise<CheckMessage | string> => {
    if (ended !== undefined) return ended;
    const { promise, resolve } = Promise.withResolvers<CheckMessage | string>();
    settle = resolve;
    const timer = setTimeout(() => interrupt(late), ms);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      settle = undefined;
    }
  };
  return { nextMessage, interrupt };
};

/** Ends the process and what it has started; a loop does not react to anything else. */
const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
};
