import { setImmediate } from "node:timers/promises";
import type { Goodbye } from "@/contract/stream-event";
import type { StreamFrame } from "@/server/api/operation";

/** Proxies commonly close an idle connection after 60 s. */
const PING_MS = 15_000;
/** Delay after which a client reconnects. */
const RETRY_MS = 1_000;

/** A commit together with the end of its preview has three or four frames. */
const MAX_FRAMES_PER_WRITE = 16;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

type SseOptions = {
  /** 200 by default. */
  status?: number;
  /** Added to the headers of every stream. */
  headers?: Record<string, string>;
  /** Called when the frames have ended. @returns the last event, if the server has ended them. */
  findGoodbye: () => Goodbye | undefined;
  /** Ends the source of the frames; called once, however the stream ends. */
  stop: () => void;
  /** Receives the error of a failed stream; the client then reconnects with its cursor. */
  onError: (error: unknown) => void;
};

/**
 * Creates a response that sends frames as server-sent events. It pulls frames only when the client
 * has room, so a slow client applies back-pressure to their source.
 */
export const createSseResponse = <Event extends { type: string }>(
  frames: AsyncGenerator<StreamFrame<Event>, void, undefined>,
  { status = 200, headers = {}, findGoodbye, stop, onError }: SseOptions,
): Response => {
  const readBatch = createFrameReader(frames);
  let ping: NodeJS.Timeout | undefined;
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    clearInterval(ping);
    stop();
  };
  /** The first write does not wait for a frame, so that the client sees the connection open. */
  let prefix = [RETRY];
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      ping ??= setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(PING);
      }, PING_MS).unref();
      try {
        const { bytes, isLast } = await readBatch(prefix);
        prefix = [];
        // The client has disconnected, and its stream can be neither written nor closed.
        if (isClosed) return;
        const [only] = bytes;
        if (only) controller.enqueue(bytes.length === 1 ? only : Buffer.concat(bytes));
        if (!isLast) return;
      } catch (error) {
        if (isClosed) return;
        onError(error);
      }
      const goodbye = findGoodbye();
      if (goodbye) controller.enqueue(encodeEvent(goodbye));
      close();
      controller.close();
    },
    cancel: async () => {
      close();
      await frames.return();
    },
  });
  return new Response(body, { status, headers: { ...headers, ...HEADERS } });
};

/** Creates a function that reads all frames that are ready, to send them in one write. */
const createFrameReader = <Event extends { type: string }>(
  frames: AsyncGenerator<StreamFrame<Event>, void, undefined>,
) => {
  let pending: Promise<IteratorResult<StreamFrame<Event>, void>> | undefined;
  return async (bytes: Uint8Array[]): Promise<{ bytes: Uint8Array[]; isLast: boolean }> => {
    while (bytes.length < MAX_FRAMES_PER_WRITE) {
      pending ??= frames.next();
      // An error surfaces in the next call, after the frames before it have been sent.
      const next = await (bytes.length === 0
        ? pending
        : Promise.race([pending.catch(() => undefined), setImmediate(undefined)]));
      if (!next) break;
      if (next.done) return { bytes, isLast: true };
      pending = undefined;
      bytes.push(encode(next.value));
    }
    return { bytes, isLast: false };
  };
};

const ENCODER = new TextEncoder();
const RETRY = ENCODER.encode(`retry: ${RETRY_MS}\n\n`);
const PING = ENCODER.encode(": ping\n\n");

/** Streams share event objects, so each object is serialized only once. */
const encodedEvents = new WeakMap<object, Uint8Array>();

const encode = <Event extends { type: string }>({
  event,
  cursor,
  isDurable,
}: StreamFrame<Event>): Uint8Array => {
  let bytes = encodedEvents.get(event);
  if (!bytes) {
    bytes = encodeEvent(event);
    encodedEvents.set(event, bytes);
  }
  if (!isDurable || cursor === null) return bytes;
  return Buffer.concat([Buffer.from(`id: ${cursor}\n`), bytes]);
};

const encodeEvent = (event: { type: string }): Uint8Array =>
  ENCODER.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
