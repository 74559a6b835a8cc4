import { afterEach, describe, expect, it, vi } from "vitest";
import type { StreamFrame } from "@/server/api/operation";
import { sseResponse } from "./sse-response";

type Event = { type: string };

afterEach(() => {
  vi.useRealTimers();
});

const respond = (frames: AsyncGenerator<StreamFrame<Event>, void, undefined>) => {
  const heard = { stopped: 0, errors: [] as unknown[] };
  const response = sseResponse(frames, {
    isDurable: ({ type }) => type !== "preview",
    stop: () => {
      heard.stopped += 1;
    },
    onError: (error) => {
      heard.errors.push(error);
    },
  });
  if (!response.body) throw new Error("there is no stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  return { reader, heard };
};

async function* endless(event: Event, { taken }: { taken: { count: number } }) {
  for (;;) {
    taken.count += 1;
    await Promise.resolve();
    yield { event, cursor: taken.count };
  }
}

describe("server-sent events", () => {
  it("carry the cursor with durable events only", async () => {
    // eslint-disable-next-line @typescript-eslint/require-await -- the type of a source of frames
    async function* frames() {
      yield { event: { type: "chat" }, cursor: 3 };
      yield { event: { type: "preview" }, cursor: 3 };
      yield { event: { type: "chat" }, cursor: null };
    }
    expect(await sseText(frames())).toBe(
      'retry: 1000\n\nid: 3\nevent: chat\ndata: {"type":"chat"}\n\n' +
        'event: preview\ndata: {"type":"preview"}\n\nevent: chat\ndata: {"type":"chat"}\n\n',
    );
  });

  it("are taken as the client reads, and no faster", async () => {
    const taken = { count: 0 };
    const { reader } = respond(endless({ type: "chat" }, { taken }));
    // Frames that are there travel 16 at a time, the hint when to come back as one of the first; two
    // more writes lie ready in the response and in the decoder of this test.
    for (let read = 0; read < 10; read++) await reader.read();
    const most = 12 * 16 - 1;
    expect(taken.count).toBeLessThanOrEqual(most);
    const settle = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      return taken.count;
    };
    const settled = await settle();
    expect(settled).toBeLessThanOrEqual(most);
    expect(await settle()).toBe(settled);
    await reader.cancel();
  });

  it("are serialised once for all watchers", async () => {
    let times = 0;
    const event = {
      type: "preview",
      toJSON: () => {
        times += 1;
        return { type: "preview" };
      },
    };
    const watchers = Array.from({ length: 5 }, () =>
      respond(endless(event, { taken: { count: 0 } })),
    );
    for (const { reader } of watchers) {
      await reader.read();
      expect((await reader.read()).value).toContain("event: preview");
      await reader.cancel();
    }
    expect(times).toBe(1);
  });

  it("are kept alive by a comment every 15 seconds", async () => {
    vi.useFakeTimers();
    // eslint-disable-next-line require-yield -- silent until the client leaves
    async function* silent(): AsyncGenerator<StreamFrame<Event>, void, undefined> {
      await new Promise(() => undefined);
    }
    const response = sseResponse(silent(), {
      isDurable: () => true,
      stop: () => undefined,
      onError: () => undefined,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(new TextDecoder().decode((await next)?.value)).toBe(": ping\n\n");
  });

  it("free their source when the client leaves", async () => {
    let isFreed = false;
    async function* frames() {
      try {
        yield* endless({ type: "chat" }, { taken: { count: 0 } });
      } finally {
        isFreed = true;
      }
    }
    const { reader, heard } = respond(frames());
    await reader.read();
    await reader.read();
    await reader.cancel();
    await vi.waitUntil(() => isFreed);
    expect(heard.stopped).toBe(1);
  });

  it("end after a failure, which is told to the log and not to the client", async () => {
    async function* frames(): AsyncGenerator<StreamFrame<Event>, void, undefined> {
      yield { event: { type: "chat" }, cursor: 1 };
      await Promise.resolve();
      throw new Error("password=hunter2");
    }
    const { reader, heard } = respond(frames());
    let text = "";
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += chunk.value;
    }
    expect(text).toContain("event: chat");
    expect(text).not.toContain("hunter2");
    expect(heard.errors).toEqual([new Error("password=hunter2")]);
    expect(heard.stopped).toBe(1);
  });
});

const sseText = (frames: AsyncGenerator<StreamFrame<Event>, void, undefined>): Promise<string> =>
  sseResponse(frames, {
    isDurable: ({ type }) => type !== "preview",
    stop: () => undefined,
    onError: () => undefined,
  }).text();
