import { setImmediate } from "node:timers/promises";
import type { StreamFrame } from "@/server/api/operation";

/** Proxies in front of us close a silent connection after 60 s. */
const PING_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 1_000;

/** Frames of one write: a commit with its preview's end is three or four. */
const MAX_FRAMES_PER_WRITE = 16;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

type Controller = ReadableStreamDefaultController<Uint8Array>;

type SseOptions<Event> = {
  /** 200 by default. */
  status?: number;
  /** Beside those of every stream. */
  headers?: Record<string, string>;
  isDurable: (event: Event) => boolean;
  /** Ends the frames; called once, however the stream ends. */
  stop: () => void;
  /** Hears of a failure; the client connects again and goes on behind its last event. */
  onError: (error: unknown) => void;
};

/**
 * Frames as server-sent events. They are taken when the client has room, so a slow client holds
 * a few events here and whatever the frames' source lets it have.
 */
export const sseResponse = <Event extends { type: string }>(
  frames: AsyncGenerator<StreamFrame<Event>, void, undefined>,
  { status = 200, headers = {}, isDurable, stop, onError }: SseOptions<Event>,
): Response => {
  const takeReady = taker(frames, isDurable);
  let ping: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearInterval(ping);
    stop();
  };
  /** The first write is not to wait for a frame: the client learns by it that it is connected. */
  let opening = [RETRY];
  const sendNext = async (controller: Controller): Promise<void> => {
    const { bytes, isLast } = await takeReady(opening);
    opening = [];
    // The client left meanwhile: its stream takes nothing any more, not even an end.
    if (isOver) return;
    const [only] = bytes;
    if (only) controller.enqueue(bytes.length === 1 ? only : Buffer.concat(bytes));
    if (!isLast) return;
    end();
    controller.close();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      ping = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(PING);
      }, PING_MS).unref();
    },
    pull: async (controller) => {
      try {
        await sendNext(controller);
      } catch (error) {
        if (isOver) return;
        onError(error);
        end();
        controller.close();
      }
    },
    cancel: async () => {
      end();
      await frames.return();
    },
  });
  return new Response(body, { status, headers: { ...headers, ...HEADERS } });
};

/** Adds all frames that are there already: together they are one write to the connection. */
const taker = <Event extends { type: string }>(
  frames: AsyncGenerator<StreamFrame<Event>, void, undefined>,
  isDurable: (event: Event) => boolean,
) => {
  let coming: Promise<IteratorResult<StreamFrame<Event>, void>> | undefined;
  return async (bytes: Uint8Array[]): Promise<{ bytes: Uint8Array[]; isLast: boolean }> => {
    while (bytes.length < MAX_FRAMES_PER_WRITE) {
      coming ??= frames.next();
      // A failure is told at its turn, behind what came before it.
      const next = await (bytes.length === 0
        ? coming
        : Promise.race([coming.catch(() => undefined), setImmediate(undefined)]));
      if (!next) break;
      if (next.done) return { bytes, isLast: true };
      coming = undefined;
      bytes.push(encode(next.value, isDurable(next.value.event)));
    }
    return { bytes, isLast: false };
  };
};

const ENCODER = new TextEncoder();
const RETRY = ENCODER.encode(`retry: ${RETRY_MS}\n\n`);
const PING = ENCODER.encode(": ping\n\n");

/** Many watchers get the same event object, which is serialised for the first of them. */
const encoded = new WeakMap<object, Uint8Array>();

const encode = <Event extends { type: string }>(
  { event, cursor }: StreamFrame<Event>,
  durable: boolean,
): Uint8Array => {
  let bytes = encoded.get(event);
  if (!bytes) {
    bytes = ENCODER.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    encoded.set(event, bytes);
  }
  if (!durable || cursor === null) return bytes;
  return Buffer.concat([Buffer.from(`id: ${cursor}\n`), bytes]);
};
