import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { waitAtMost } from "@/lib/wait-at-most";
import { startThread } from "@/server/start-thread";

/** A thread loads its program before its first reply, which takes long on a busy machine. */
const START_TIMEOUT_MS = 20_000;
const CHECK_MS = 100;
/** Without an answer to a check for this long, the thread is in a step that cannot be interrupted. */
const CHECK_TIMEOUT_MS = 10_000;

export type ThreadLimits = {
  /** CPU time that the thread may use without a pause, besides what its requests allow. */
  cpuMs: number;
  heapMb: number;
  /** Memory outside of the heap, which the limit of the heap does not count. */
  externalBytes: number;
};

/** Why a thread was ended. */
export type ThreadFailure = "start" | "time" | "memory";

type Options = {
  program: string;
  limits: ThreadLimits;
  /** Called at most once, and not after `end`. */
  onFailure: (failure: ThreadFailure) => void;
};

/**
 * Starts a thread that replies to each request once, in their order, and that is ended when it exceeds its limits of
 * time or memory.
 */
export const startLimitedThread = <Request, Reply>({ program, limits, onFailure }: Options) => {
  const thread = startThread(program, limits.heapMb);
  const waiting: ((reply: Reply | undefined) => void)[] = [];
  const work: Work = { replies: 0, period: 0, allowedMs: 0, isBusy: () => waiting.length > 0 };
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    thread.terminate().catch(() => undefined);
    for (const resolve of waiting.splice(0)) resolve(undefined);
  };
  const fail = (failure: ThreadFailure): void => {
    if (hasEnded) return;
    end();
    onFailure(failure);
  };
  thread.on("message", (reply: Reply) => {
    work.replies += 1;
    waiting.shift()?.(reply);
  });
  // It ends by itself at its limit of memory, or as its program is missing.
  const onEnd = () => fail(work.replies > 0 ? "memory" : "start");
  thread.on("error", onEnd).on("exit", onEnd);
  const watch = createWatch(thread, { limits, fail, work });
  return {
    /**
     * @param allowedMs CPU time that the request may take.
     * @returns undefined if the thread ends before it replies. Does not reject.
     */
    ask: (
      request: Request,
      { allowedMs = 0, transfer = [] }: { allowedMs?: number; transfer?: ArrayBuffer[] } = {},
    ): Promise<Reply | undefined> => {
      if (hasEnded) return Promise.resolve(undefined);
      if (!work.isBusy()) Object.assign(work, { period: work.period + 1, allowedMs: limits.cpuMs });
      work.allowedMs += allowedMs;
      const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
      waiting.push(resolve);
      thread.postMessage(request, transfer);
      watch().catch(() => undefined);
      return promise;
    },
    end,
  };
};

type Work = {
  replies: number;
  /** Counts the times in which the thread has worked without a pause. */
  period: number;
  /** CPU time that it may use in this period. */
  allowedMs: number;
  isBusy: () => boolean;
};

type Watched = {
  limits: ThreadLimits;
  fail: (failure: ThreadFailure) => void;
  work: Work;
};

/** @returns a function that watches a thread for as long as it is busy. Does not reject. */
const createWatch = (thread: Worker, { limits, fail, work }: Watched) => {
  let isWatching = false;
  const watch = async (): Promise<void> => {
    let begin = { period: -1, cpuMs: 0 };
    for (let waitedMs = 0; work.isBusy(); waitedMs += CHECK_MS) {
      await sleep(CHECK_MS, undefined, { ref: false });
      if (work.replies === 0 && waitedMs > START_TIMEOUT_MS) return fail("start");
      // What it needs to load its program does not count.
      if (work.replies === 0) continue;
      const { period, allowedMs } = work;
      const usage = await readUsage(thread);
      if (!usage) return fail("time");
      if (usage.externalBytes > limits.externalBytes) return fail("memory");
      if (period !== begin.period) begin = { period, cpuMs: usage.cpuMs };
      else if (work.isBusy() && usage.cpuMs - begin.cpuMs > allowedMs) return fail("time");
    }
  };
  return async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    try {
      await watch();
    } catch {
      // The thread has ended meanwhile, which its events report.
    } finally {
      isWatching = false;
    }
  };
};

type Usage = { cpuMs: number; externalBytes: number };

/** @returns undefined if the thread does not answer. Rejects when it has ended. */
const readUsage = (thread: Worker): Promise<Usage | undefined> => {
  const read = async (): Promise<Usage> => {
    const [{ user, system }, { external_memory: externalBytes }] = await Promise.all([
      thread.cpuUsage(),
      thread.getHeapStatistics(),
    ]);
    return { cpuMs: (user + system) / 1_000, externalBytes };
  };
  return waitAtMost(read(), CHECK_TIMEOUT_MS);
};
