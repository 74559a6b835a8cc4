import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { activityListeners } from "./activity";

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/**
 * Time that all streams together may use in one event-loop iteration: long enough that yielding
 * costs little, short enough that timers and other requests are not delayed noticeably.
 */
const BUDGET_MS = 8;

/** Creates a time budget for many concurrent streams, so that they do not block the event loop. */
const createEventLoopBudget = () => {
  let startedAt: number | undefined;
  let nextIteration: Promise<void> | undefined;
  let resume: (() => void) | undefined;

  const reset = (): void => {
    startedAt = undefined;
    nextIteration = undefined;
    resume?.();
    resume = undefined;
  };

  return {
    /**
     * To be called after each unit of work.
     *
     * @param at `performance.now()`.
     * @returns a promise of the next iteration once the budget is spent, else undefined.
     */
    yieldIfSpent: (at: number): Promise<void> | undefined => {
      if (startedAt === undefined) {
        startedAt = at;
        setImmediate(reset);
        return undefined;
      }
      if (at - startedAt < BUDGET_MS) return undefined;
      nextIteration ??= new Promise((resolve) => (resume = resolve));
      return nextIteration;
    },
  };
};

/** Shared by all streams of the process, because their total time blocks the event loop. */
const eventLoopBudget = createEventLoopBudget();

/**
 * Creates one request to a provider; `read` sends it and reads its response stream.
 *
 * @param onActivity called when anything of the answer arrives.
 */
export const createProviderStream = (
  client: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  onActivity: () => void,
) => {
  const abort = new AbortController();
  activityListeners.set(abort.signal, onActivity);
  let reader: Reader | undefined;
  let isClosed = false;
  let hasEnded = false;

  const cancel = (): void => {
    abort.abort();
    // Rejects when the stream has failed already; `read` has reported that error.
    reader?.cancel().catch(() => undefined);
  };

  return {
    /**
     * Sends the request and reads its stream until it ends or `close` is called.
     *
     * @param onPart receives each part and `performance.now()`; may throw.
     * @throws the error of the request, of the stream, of an `error` part, or of `onPart`.
     */
    read: async (onPart: (part: LanguageModelV4StreamPart, at: number) => void): Promise<void> => {
      const { stream } = await client.doStream({ ...options, abortSignal: abort.signal });
      reader = stream.getReader();
      if (isClosed) return cancel();
      for (;;) {
        const { done, value } = await reader.read();
        if (isClosed) return;
        if (done) break;
        if (value.type === "error") throw value.error;
        const at = performance.now();
        onPart(value, at);
        const nextIteration = eventLoopBudget.yieldIfSpent(at);
        if (nextIteration !== undefined) await nextIteration;
      }
      hasEnded = true;
    },
    /** Aborts the request immediately and ignores what still arrives. */
    close: (): void => {
      isClosed = true;
      if (!hasEnded) cancel();
    },
  };
};

/**
 * Creates a timer that calls `onIdle` once, after `limitMs` without a `touch`. A touch is only an
 * assignment, because it happens for each part: the timer checks the last one when it fires.
 */
export const createIdleTimer = (limitMs: number, onIdle: () => void) => {
  let limit = limitMs;
  let lastActiveAt = performance.now();

  const check = (): void => {
    const remainingMs = lastActiveAt + limit - performance.now();
    if (remainingMs <= 0) onIdle();
    else timer = setTimeout(check, remainingMs);
  };
  let timer = setTimeout(check, limit);

  return {
    /** @param at `performance.now()`. */
    touch: (at: number): void => {
      lastActiveAt = at;
    },
    /** Changes the limit and restarts the timer; without effect when the limit is the same. */
    setLimit: (ms: number): void => {
      if (ms === limit) return;
      limit = ms;
      clearTimeout(timer);
      timer = setTimeout(check, ms);
    },
    stop: (): void => clearTimeout(timer),
  };
};
