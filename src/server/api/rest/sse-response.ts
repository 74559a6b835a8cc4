import type { StreamFrame } from "@/server/api/operation";

/** Proxies in front of us close a silent connection after 60 s. */
const PING_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 1_000;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

type Controller = ReadableStreamDefaultController<Uint8Array>;

type SseOptions<Event> = {
  isDurable: (event: Event) => boolean;
  /** Ends the frames; called once, however the stream ends. */
  stop: () => void;
  /** Hears of a failure; the client connects again and goes on behind its last event. */
  onError: (error: unknown) => void;
};

/**
 * Frames as server-sent events. One is taken when the client has room for it, so a slow client
 * holds one event here and whatever the frames' source lets it have.
 */
export const sseResponse = <Event extends { type: string }>(
  frames: AsyncGenerator<StreamFrame<Event>, void, undefined>,
  { isDurable, stop, onError }: SseOptions<Event>,
): Response => {
  let ping: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearInterval(ping);
    stop();
  };
  const sendNext = async (controller: Controller): Promise<void> => {
    const next = await frames.next();
    // The client left meanwhile: its stream takes nothing any more, not even an end.
    if (isOver) return;
    if (!next.done) {
      controller.enqueue(encode(next.value, isDurable(next.value.event)));
      return;
    }
    end();
    controller.close();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(RETRY);
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
  return new Response(body, { headers: HEADERS });
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
