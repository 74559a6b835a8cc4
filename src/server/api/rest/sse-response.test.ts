import { afterEach, describe, expect, it, vi } from "vitest";
import type { Goodbye } from "@/contract/stream-event";
import type { StreamFrame } from "@/server/api/operation";
import { createSseResponse } from "./sse-response";

type Event = { type: string };

afterEach(() => {
  vi.useRealTimers();
});

const respond = (frames: AsyncGenerator<StreamFrame<Event>, void, undefined>) => {
  const recorded = { stopped: 0, errors: [] as unknown[] };
  const response = createSseResponse(frames, {
    findGoodbye: () => undefined,
    stop: () => {
      recorded.stopped += 1;
    },
    onError: (error) => {
      recorded.errors.push(error);
    },
  });
  if (!response.body) throw new Error("there is no stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  return { reader, recorded };
};

async function* repeat(event: Event, { pulled }: { pulled: { count: number } }) {
  for (;;) {
    pulled.count += 1;
    await Promise.resolve();
    yield { event, cursor: pulled.count, isDurable: true };
  }
}

describe("createSseResponse", () => {
  it("sends the cursor with durable events only", async () => {
    // eslint-disable-next-line @typescript-eslint/require-await -- the type of a source of frames
    async function* frames() {
      yield { event: { type: "chat" }, cursor: 3, isDurable: true };
      yield { event: { type: "preview" }, cursor: 3, isDurable: false };
      yield { event: { type: "chat" }, cursor: null, isDurable: true };
    }
    expect(await sseText(frames())).toBe(
      'retry: 1000\n\nid: 3\nevent: chat\ndata: {"type":"chat"}\n\n' +
        'event: preview\ndata: {"type":"preview"}\n\nevent: chat\ndata: {"type":"chat"}\n\n',
    );
  });

  it("ends with a goodbye without an id, if the server has ended the frames", async () => {
    // eslint-disable-next-line @typescript-eslint/require-await -- the type of a source of frames
    async function* frames() {
      yield { event: { type: "chat" }, cursor: 3, isDurable: true };
    }
    const goodbye = { type: "goodbye", reason: "restart", retry_after_ms: 1_500 } as const;
    expect(await sseText(frames(), () => goodbye)).toBe(
      'retry: 1000\n\nid: 3\nevent: chat\ndata: {"type":"chat"}\n\n' +
        `event: goodbye\ndata: ${JSON.stringify(goodbye)}\n\n`,
    );
  });

  it("pulls frames only as fast as the client reads", async () => {
    const pulled = { count: 0 };
    const { reader } = respond(repeat({ type: "chat" }, { pulled }));
    // A write has up to 16 frames, and the first one includes the retry hint. Two more writes are
    // buffered in the response and in the decoder of this test.
    for (let read = 0; read < 10; read++) await reader.read();
    const maxPulled = 12 * 16 - 1;
    expect(pulled.count).toBeLessThanOrEqual(maxPulled);
    const settle = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      return pulled.count;
    };
    const settled = await settle();
    expect(settled).toBeLessThanOrEqual(maxPulled);
    expect(await settle()).toBe(settled);
    await reader.cancel();
  });

  it("serializes an event once for all streams", async () => {
    let times = 0;
    const event = {
      type: "preview",
      toJSON: () => {
        times += 1;
        return { type: "preview" };
      },
    };
    const watchers = Array.from({ length: 5 }, () =>
      respond(repeat(event, { pulled: { count: 0 } })),
    );
    for (const { reader } of watchers) {
      await reader.read();
      expect((await reader.read()).value).toContain("event: preview");
      await reader.cancel();
    }
    expect(times).toBe(1);
  });

  it("sends a comment every 15 s to keep the connection open", async () => {
    vi.useFakeTimers();
    // eslint-disable-next-line require-yield -- silent until the client disconnects
    async function* silent(): AsyncGenerator<StreamFrame<Event>, void, undefined> {
      await new Promise(() => undefined);
    }
    const response = createSseResponse(silent(), {
      findGoodbye: () => undefined,
      stop: () => undefined,
      onError: () => undefined,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(new TextDecoder().decode((await next)?.value)).toBe(": ping\n\n");
  });

  it("ends the source when the client disconnects", async () => {
    let hasEnded = false;
    async function* frames() {
      try {
        yield* repeat({ type: "chat" }, { pulled: { count: 0 } });
      } finally {
        hasEnded = true;
      }
    }
    const { reader, recorded } = respond(frames());
    await reader.read();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => hasEnded).toBe(true);
    expect(recorded.stopped).toBe(1);
  });

  it("closes the stream after an error, which is logged but not sent", async () => {
    async function* frames(): AsyncGenerator<StreamFrame<Event>, void, undefined> {
      yield { event: { type: "chat" }, cursor: 1, isDurable: true };
      await Promise.resolve();
      throw new Error("password=hunter2");
    }
    const { reader, recorded } = respond(frames());
    let text = "";
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += chunk.value;
    }
    expect(text).toContain("event: chat");
    expect(text).not.toContain("hunter2");
    expect(recorded.errors).toEqual([new Error("password=hunter2")]);
    expect(recorded.stopped).toBe(1);
  });
});

const sseText = (
  frames: AsyncGenerator<StreamFrame<Event>, void, undefined>,
  findGoodbye: () => Goodbye | undefined = () => undefined,
): Promise<string> =>
  createSseResponse(frames, {
    findGoodbye,
    stop: () => undefined,
    onError: () => undefined,
  }).text();
