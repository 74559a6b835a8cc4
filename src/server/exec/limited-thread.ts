import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { waitAtMost } from "@/lib/wait-at-most";
import { startThread } from "@/server/start-thread";

/** A thread loads its program before its first reply, which takes long on a busy machine. */
const START_TIMEOUT_MS = 20_000;
const CHECK_MS = 100;
/** Without an answer to a check for this long, the thread is in a step that cannot be interrupted. */
const CHECK_TIMEOUT_MS = 10_000;

/** Threads that work at the same time leave a processor to the server. Each has one request at a time in this queue. */
const working = pLimit(Math.max(1, availableParallelism() - 1));

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
 * time or memory. Threads that have requests take turns.
 */
export const startLimitedThread = <Request, Reply>({ program, limits, onFailure }: Options) => {
  const requests = createRequestQueue<Reply>();
  const work: Work = { replies: 0, period: 0, allowedMs: 0, ...requests };
  let thread: Worker | undefined;
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    thread?.terminate().catch(() => undefined);
    requests.end();
  };
  const fail = (failure: ThreadFailure): void => {
    if (hasEnded) return;
    end();
    onFailure(failure);
  };
  const open = (): Worker => {
    const opened = startThread(program, limits.heapMb);
    opened.on("message", (reply: Reply) => {
      work.replies += 1;
      requests.handleReply(reply);
    });
    // It ends by itself at its limit of memory, or as its program is missing.
    const onEnd = () => fail(work.replies > 0 ? "memory" : "start");
    return opened.on("error", onEnd).on("exit", onEnd);
  };
  const watch = createWatch(() => thread, { limits, fail, work });
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
      const reply = requests.add(() => (thread ??= open()).postMessage(request, transfer));
      watch().catch(() => undefined);
      return reply;
    },
    end,
  };
};

type PendingRequest<Reply> = { post: () => void; resolve: (reply: Reply | undefined) => void };

/** Requests of one turn: each message between threads costs the server time. */
const TURN_REQUESTS = 16;

/** The requests of one thread, in their order. Some are posted when it is the turn of the thread. */
const createRequestQueue = <Reply>() => {
  const pending: PendingRequest<Reply>[] = [];
  let posted = 0;
  let endTurn: (() => void) | undefined;
  const takeTurn = (): void => {
    const turn = working(() => {
      const requests = pending.slice(0, TURN_REQUESTS);
      if (requests.length === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      endTurn = resolve;
      posted = requests.length;
      for (const { post } of requests) post();
      return promise;
    });
    turn.catch(() => undefined);
  };
  const handleEnd = (): void => {
    posted = 0;
    endTurn?.();
    endTurn = undefined;
  };
  return {
    isBusy: (): boolean => pending.length > 0,
    isPosted: (): boolean => posted > 0,
    /** @returns undefined if the thread ends before its reply. */
    add: (post: () => void): Promise<Reply | undefined> => {
      const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
      pending.push({ post, resolve });
      if (pending.length === 1) takeTurn();
      return promise;
    },
    handleReply: (reply: Reply): void => {
      pending.shift()?.resolve(reply);
      posted -= 1;
      if (posted > 0) return;
      handleEnd();
      // Node handles the replies of a fast thread without a pause; so other events come before the next ones.
      if (pending.length > 0) setImmediate(takeTurn);
    },
    end: (): void => {
      for (const { resolve } of pending.splice(0)) resolve(undefined);
      handleEnd();
    },
  };
};

type Work = Pick<ReturnType<typeof createRequestQueue>, "isBusy" | "isPosted"> & {
  replies: number;
  /** Counts the times in which the thread has worked without a pause. */
  period: number;
  /** CPU time that it may use in this period. */
  allowedMs: number;
};

type Watched = {
  limits: ThreadLimits;
  fail: (failure: ThreadFailure) => void;
  work: Work;
};

/** @returns a function that watches a thread for as long as it is busy. Does not reject. */
const createWatch = (getThread: () => Worker | undefined, { limits, fail, work }: Watched) => {
  let isWatching = false;
  const watch = async (): Promise<void> => {
    let begin = { period: -1, cpuMs: 0 };
    let startedMs = 0;
    let hadExceeded = false;
    while (work.isBusy()) {
      await sleep(CHECK_MS, undefined, { ref: false });
      // What it needs to load its program does not count.
      if (work.replies === 0) {
        if (work.isPosted()) startedMs += CHECK_MS;
        if (startedMs > START_TIMEOUT_MS) return fail("start");
        continue;
      }
      const { period, allowedMs } = work;
      const thread = getThread();
      const usage = thread && (await readUsage(thread));
      if (!usage) return fail("time");
      // Memory that nothing uses any more counts until it is collected, so one check says too little.
      const exceeds = usage.externalBytes > limits.externalBytes;
      if (exceeds && hadExceeded) return fail("memory");
      hadExceeded = exceeds;
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
