import { createParser } from "eventsource-parser";
import type { Goodbye } from "@/contract/stream-event";
import { parseShownJson } from "@/lib/exact-json";
import type { Problem } from "@/contract/problem";
import { readProblem } from "./to-problem";

/** `failed` is final: the server rejected the request, and a retry would not help. */
export type ConnectionState = "connecting" | "open" | "reconnecting" | "failed";

type ConnectionOptions<Event> = {
  /** Called for each attempt, so that it can contain the newest cursor. */
  getUrl: () => string;
  /** Called with the events of one network chunk, in order. */
  onEvents: (events: readonly Event[]) => void;
  onState: (state: ConnectionState, problem?: Problem) => void;
};

export type Connection = {
  /** Ends the current retry delay. */
  retryNow: () => void;
  close: () => void;
};

const BASE_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 10_000;
/** The server sends something every 15 s, so a longer silence means a broken connection. */
const IDLE_TIMEOUT_MS = 40_000;

/** Opens a stream of server-sent events that reconnects until it is closed or rejected. */
export const openConnection = <Event>(options: ConnectionOptions<Event>): Connection => {
  const abort = new AbortController();
  let endDelay: (() => void) | undefined;
  const delay = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endDelay = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    let failures = 0;
    options.onState("connecting");
    while (!abort.signal.aborted) {
      const outcome = await readStream(options, abort.signal);
      if (abort.signal.aborted) return;
      if (outcome.type === "rejected") {
        options.onState("failed", outcome.problem);
        return;
      }
      failures = outcome.wasOpen ? 0 : failures + 1;
      options.onState("reconnecting");
      const backOffMs = BASE_RETRY_DELAY_MS * 2 ** failures;
      await delay(Math.min(MAX_RETRY_DELAY_MS, outcome.retryAfterMs ?? backOffMs));
    }
  };
  run().catch(reportError);
  return {
    retryNow: () => endDelay?.(),
    close: () => {
      abort.abort();
      endDelay?.();
    },
  };
};

type StreamOutcome =
  | {
      type: "ended";
      wasOpen: boolean;
      /** What the server has asked for, in milliseconds. */
      retryAfterMs?: number | undefined;
    }
  | { type: "rejected"; problem: Problem };

const readStream = async <Event>(
  { getUrl, onEvents, onState }: ConnectionOptions<Event>,
  closeSignal: AbortSignal,
): Promise<StreamOutcome> => {
  const idleTimeout = createIdleTimeout();
  let wasOpen = false;
  let retryAfterMs: number | undefined;
  try {
    const response = await fetch(getUrl(), {
      headers: { accept: "text/event-stream" },
      cache: "no-store",
      signal: AbortSignal.any([closeSignal, idleTimeout.signal]),
    });
    if (!response.ok || !response.body) {
      const problem = await readProblem(response);
      const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
      return isFinal ? { type: "rejected", problem } : { type: "ended", wasOpen };
    }
    wasOpen = true;
    onState("open");
    for await (const events of readEvents<Event | Goodbye>(response.body, idleTimeout.restart)) {
      const goodbye = events.find(isGoodbye);
      retryAfterMs = goodbye?.retry_after_ms;
      onEvents(events.filter((event): event is Event => event !== goodbye));
    }
  } catch (error) {
    // Lost and closed connections are expected; report anything else.
    if (!closeSignal.aborted && !isDisconnect(error)) reportError(error);
  } finally {
    idleTimeout.stop();
  }
  return { type: "ended", wasOpen, retryAfterMs };
};

/** No other event has this field. */
const isGoodbye = <Event>(event: Event | Goodbye): event is Goodbye =>
  "retry_after_ms" in (event as Goodbye);

const isDisconnect = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");

async function* readEvents<Event>(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<readonly Event[], void, undefined> {
  let events: Event[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      events.push(parseShownJson(data) as Event);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      parser.feed(decoder.decode(value, { stream: true }));
      if (events.length === 0) continue;
      yield events;
      events = [];
    }
  } finally {
    reader.releaseLock();
  }
}

/** Aborts its signal when `restart` has not been called for the idle timeout. */
const createIdleTimeout = () => {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), IDLE_TIMEOUT_MS);
  };
  restart();
  return { signal: abort.signal, restart, stop: () => clearTimeout(timer) };
};
