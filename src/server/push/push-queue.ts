import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { PushMessage, PushOutcome } from "./send-push";

type QueueDeps = {
  /** Does not reject. */
  send: (message: PushMessage) => Promise<PushOutcome>;
  /** Receives the last outcome of each notification; must not throw. */
  onOutcome: (message: PushMessage, outcome: PushOutcome) => void;
  /** Rejects when the signal is aborted; replaced in tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Requests at the same time, of all services: one that does not answer holds up to all of them for 10 s. */
const CONCURRENCY = 16;
/** More notifications than this are dropped: each is worth less with every second. */
const MAX_WAITING = 1_000;
const MAX_TRIES = 4;
const FIRST_DELAY_MS = 2_000;
/** A service that wants more time is not waited for. */
const MAX_DELAY_MS = 5 * 60_000;

export const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal });

const STOPPED: PushOutcome = { type: "refused", problem: "The server is stopping." };

/** Sends notifications, as far as there is room, and tries again what may succeed later. Nothing waits for it. */
export const createPushQueue = ({ send, onOutcome, wait = waitFor }: QueueDeps) => {
  const limit = pLimit(CONCURRENCY);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  /** What has no room before the end of the process is dropped. */
  const sendNow = async (message: PushMessage): Promise<PushOutcome> =>
    stopping.signal.aborted ? STOPPED : send(message);
  const deliver = async (message: PushMessage): Promise<PushOutcome> => {
    for (let tries = 1; ; tries++) {
      const outcome = await limit(() => sendNow(message));
      if (outcome.type !== "retry" || tries === MAX_TRIES) return outcome;
      const delayMs = Math.max(FIRST_DELAY_MS * 2 ** (tries - 1), outcome.afterMs ?? 0);
      if (delayMs > MAX_DELAY_MS || stopping.signal.aborted) return outcome;
      try {
        await wait(delayMs, stopping.signal);
      } catch {
        return outcome;
      }
    }
  };
  return {
    /** @returns false when it is dropped, as too many wait. */
    add: (message: PushMessage): boolean => {
      if (running.size >= MAX_WAITING) return false;
      const delivery = deliver(message)
        .then((outcome) => onOutcome(message, outcome))
        .finally(() => running.delete(delivery));
      running.add(delivery);
      return true;
    },
    /** Resolves when all have an outcome. */
    settled: async (): Promise<void> => {
      await Promise.all(running);
    },
    /** Lets requests that run end, and tries nothing again. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
