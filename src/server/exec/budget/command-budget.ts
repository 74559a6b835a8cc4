import { setImmediate as nextIteration } from "node:timers/promises";
import type { CommandLimits } from "@/server/exec/sandbox/limits";
import { ToolFailure } from "@/server/tools/tool-result";
import { createFairQueue, type FairQueue, type QueueOwner } from "./fair-queue";

/** What wants to start a command. */
export type CommandRequest = {
  /** Root chats share the memory with each other, each of them with all its agents. */
  owner: QueueOwner;
  /** Whether it may go on for as long as nobody ends it, as a session or the program of an MCP server does. */
  isLasting: boolean;
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Called if it has to wait, with a sentence for people. Must not throw. */
  onWait: (notice: string) => void;
};

/** Keeps the memory of a command taken until this settles. */
type KeepUntil = (ended: Promise<unknown>) => void;

/** The memory that all commands of a process may use together. */
export type CommandBudget = {
  /** What one command may use. */
  limits: CommandLimits;
  /**
   * Runs a body when there is memory for one more command, which it may start. No two bodies begin in the same iteration
   * of the event loop, so that requests are answered between them. The memory is free again after the body, or after
   * what it keeps it until.
   *
   * @throws {ToolFailure} when a lasting command would leave no memory for others; what the signal was aborted with;
   * what the body throws.
   */
  run: <Result>(
    request: CommandRequest,
    body: (keepUntil: KeepUntil) => Promise<Result>,
  ) => Promise<Result>;
};

type BudgetOptions = {
  limits: CommandLimits;
  /** Bytes of all commands together; at least what one may use. */
  totalBytes: number;
};

/**
 * Creates the budget. Each command takes the limit that it is ended at, not what it uses at the moment, so that all
 * together cannot exceed the total. What lasts takes all but the memory of one command, so that none waits for what
 * may never end.
 */
export const createCommandBudget = ({ limits, totalBytes }: BudgetOptions): CommandBudget => {
  const places = Math.floor(totalBytes / limits.memoryBytes);
  const waiting = createFairQueue<() => void>();
  const waitForIteration = createIterations();
  let running = 0;
  /** Those that wait included. */
  let lasting = 0;

  const startNext = (): void => {
    const start = running < places ? waiting.take() : undefined;
    if (!start) return;
    running += 1;
    start();
  };
  const leave = ({ isLasting }: CommandRequest): void => {
    if (isLasting) lasting -= 1;
    running -= 1;
    startNext();
  };
  const enter = async (request: CommandRequest): Promise<void> => {
    request.signal.throwIfAborted();
    if (request.isLasting && lasting >= places - 1) throw new ToolFailure(describeFull(places));
    if (request.isLasting) lasting += 1;
    if (running < places) {
      running += 1;
      return;
    }
    request.onWait(describeWait(running, waiting.size()));
    try {
      await waitForTurn(waiting, request);
    } catch (error) {
      if (request.isLasting) lasting -= 1;
      throw error;
    }
  };
  return {
    limits,
    run: async (request, body) => {
      await enter(request);
      const kept: Promise<unknown>[] = [];
      try {
        await waitForIteration();
        request.signal.throwIfAborted();
        return await body((ended) => kept.push(ended));
      } finally {
        if (kept.length === 0) leave(request);
        else
          Promise.allSettled(kept).then(
            () => leave(request),
            () => undefined,
          );
      }
    },
  };
};

/** @returns a function whose promises resolve in the order of the calls, each in an iteration of its own. */
const createIterations = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  // To start a process or a thread blocks the loop for some ms.
  return () => (last = last.then(() => nextIteration()));
};

/** Rejects when the signal is aborted before. */
const waitForTurn = async (
  queue: FairQueue<() => void>,
  { owner, signal }: CommandRequest,
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const start = (): void => resolve(undefined);
  const onAbort = (): void => {
    queue.remove(owner, start);
    reject(signal.reason as Error);
  };
  queue.add(owner, start);
  signal.addEventListener("abort", onAbort, { once: true });
  await promise.finally(() => signal.removeEventListener("abort", onAbort));
};

const SETTING = "PARLEY_EXEC_TOTAL_MEMORY_MB";
const REMEDY = `let the operator raise ${SETTING}, or lower what each may use (PARLEY_EXEC_MEMORY_MB).`;

const describeWait = (running: number, before: number): string => {
  const others = running === 1 ? "another command is" : `${running} other commands are`;
  const queued = before > 0 ? ` ${before} more wait as well.` : "";
  return `Waiting to start: ${others} running, and the server has memory for no more at a time (${SETTING}).${queued}`;
};

const describeFull = (places: number): string =>
  places === 1
    ? `The server has memory for one command at a time, so none can go on in the background, and no program of an MCP server can run: ${REMEDY}`
    : `The server has memory for ${places} commands at a time, and all but one are taken by commands in the background and programs of MCP servers: end one that is not needed, or ${REMEDY}`;
