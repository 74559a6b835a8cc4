import { createParser } from "eventsource-parser";
import type { Problem } from "@/contract/problem";
import { readProblem } from "./to-problem";

/** `failed` is for good: the server refused, and asking again would not help. */
export type ConnectionState = "connecting" | "open" | "reconnecting" | "failed";

type ConnectionOptions<Event> = {
  /** Asked anew for each attempt, so that it can name the newest cursor. */
  url: () => string;
  /** Gets what one network chunk held, in order. */
  onEvents: (events: readonly Event[]) => void;
  onState: (state: ConnectionState, problem?: Problem) => void;
};

export type Connection = {
  /** Ends a pause between two attempts. */
  retryNow: () => void;
  close: () => void;
};

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** The server sends something every 15 s; a longer silence is a dead connection. */
const SILENCE_MS = 40_000;

/** A stream of server-sent events that comes back until it is closed or refused. */
export const openConnection = <Event>(options: ConnectionOptions<Event>): Connection => {
  const closing = new AbortController();
  let endPause: (() => void) | undefined;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    let failures = 0;
    options.onState("connecting");
    while (!closing.signal.aborted) {
      const end = await readOnce(options, closing.signal);
      if (closing.signal.aborted) return;
      if (end.type === "refused") {
        options.onState("failed", end.problem);
        return;
      }
      failures = end.wasOpen ? 0 : failures + 1;
      options.onState("reconnecting");
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
    }
  };
  run().catch(reportError);
  return {
    retryNow: () => endPause?.(),
    close: () => {
      closing.abort();
      endPause?.();
    },
  };
};

type End = { type: "ended"; wasOpen: boolean } | { type: "refused"; problem: Problem };

const readOnce = async <Event>(
  { url, onEvents, onState }: ConnectionOptions<Event>,
  closed: AbortSignal,
): Promise<End> => {
  const silence = watchSilence();
  let wasOpen = false;
  try {
    const response = await fetch(url(), {
      headers: { accept: "text/event-stream" },
      cache: "no-store",
      signal: AbortSignal.any([closed, silence.signal]),
    });
    if (!response.ok || !response.body) {
      const problem = await readProblem(response);
      const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
      return isFinal ? { type: "refused", problem } : { type: "ended", wasOpen };
    }
    wasOpen = true;
    onState("open");
    for await (const events of eventsOf<Event>(response.body, silence.hear)) onEvents(events);
  } catch (error) {
    // A cut connection and a closed one end alike; anything else is a fault of ours.
    if (!closed.aborted && !isCut(error)) reportError(error);
  } finally {
    silence.stop();
  }
  return { type: "ended", wasOpen };
};

const isCut = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");

async function* eventsOf<Event>(
  body: ReadableStream<Uint8Array>,
  hear: () => void,
): AsyncGenerator<readonly Event[], void, undefined> {
  let events: Event[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      events.push(JSON.parse(data) as Event);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      hear();
      parser.feed(decoder.decode(value, { stream: true }));
      if (events.length === 0) continue;
      yield events;
      events = [];
    }
  } finally {
    reader.releaseLock();
  }
}

const watchSilence = () => {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MS);
  };
  hear();
  return { signal: silent.signal, hear, stop: () => clearTimeout(timer) };
};
