import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createParser } from "eventsource-parser";
import { describe, expect, it, onTestFinished } from "vitest";
import { readEvents } from "./event-reader";
import { createProviderFetch } from "./provider-fetch";

const toEvent = (content: string): string =>
  `data: ${JSON.stringify({ id: "a", choices: [{ index: 0, delta: { content } }] })}\n\n`;

const parse = (text: string): string[] => {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  parser.feed(text);
  return events;
};

const textOf = (events: readonly string[]): string =>
  events
    .map((data) => JSON.parse(data) as { choices: { delta: { content: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content)
    .join("");

/** Starts a server that answers with an event stream. @returns its address. */
const serve = async (
  answer: (response: ServerResponse) => void,
  headers: Record<string, string> = {},
): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const EVENTS = {
  textKeys: ["content"],
  createRepair: () => ({
    read: (data: string) => (data === "[DONE]" ? [] : [data]),
    end: () => [],
  }),
};
const OPTIONS = { provider: "openai-compatible", events: EVENTS } as const;
const POST = { method: "POST", body: "{}" };

describe("createProviderFetch", () => {
  const providerFetch = createProviderFetch(OPTIONS);

  it("joins what arrives together", async () => {
    const url = await serve((response) => {
      for (let count = 0; count < 1_000; count++) response.write(toEvent("word "));
      response.end("data: [DONE]\n\n");
    });
    const events = parse(await (await providerFetch(url, POST)).text());
    expect(textOf(events)).toBe("word ".repeat(1_000));
    expect(events.length).toBeLessThan(200);
  });

  it("passes each event on before the next one is sent", async () => {
    const received = Promise.withResolvers<void>();
    const url = await serve((response) => {
      response.write(toEvent("0"));
      received.promise.then(
        () => response.end(toEvent("1")),
        () => undefined,
      );
    });
    const seen: string[] = [];
    const body = (await providerFetch(url, POST)).body?.pipeThrough(new TextDecoderStream());
    for await (const text of body ?? []) {
      seen.push(textOf(parse(text)));
      received.resolve();
    }
    expect(seen).toEqual(["0", "1"]);
  });

  it("fails when the connection is lost, after what has arrived", async () => {
    const url = await serve((response) => {
      response.write(toEvent("kept"), () => response.destroy());
    });
    const body = (await providerFetch(url, POST)).body?.pipeThrough(new TextDecoderStream());
    let text = "";
    const read = async () => {
      for await (const chunk of body ?? []) text += chunk;
    };
    await expect(read()).rejects.toThrow();
    expect(textOf(parse(text))).toBe("kept");
  });

  it("ends the connection when the client cancels", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((response) => {
      response.on("close", () => closed.resolve());
      response.write(toEvent("a"));
    });
    const reader = (await providerFetch(url, POST)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await closed.promise;
  });

  it("can be cancelled in the moment in which the connection is lost", async () => {
    /** More than a chunk takes through the streams. */
    const MICROTASKS = 100;
    const source = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => source.resolve(controller),
    });
    const body = readEvents(stream, EVENTS);
    const controller = await source.promise;
    controller.enqueue(Buffer.from(toEvent("a")));
    // The chunk arrives, but is passed on only at the end of this iteration of the event loop.
    for (let task = 0; task < MICROTASKS; task++) await Promise.resolve();
    controller.error(new Error("lost"));
    // What is thrown behind it would be an unhandled rejection, which fails the run.
    await body.cancel().catch(() => undefined);
    await new Promise(setImmediate);
  });

  it("stops reading while its client does not read", async () => {
    let sent = 0;
    const event = toEvent("x".repeat(60_000));
    const stopped = Promise.withResolvers<void>();
    const url = await serve((response) => {
      const send = (): void => {
        while (sent < 2_000) {
          sent += 1;
          if (!response.write(event)) return void response.once("drain", send);
        }
      };
      send();
      const check = (before: number): void => {
        setImmediate(() => (sent === before ? stopped.resolve() : setTimeout(check, 200, sent)));
      };
      setTimeout(check, 200, -1);
    });
    const response = await providerFetch(url, POST);
    await stopped.promise;
    expect(sent).toBeLessThan(500);
    await response.body?.cancel();
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("decodes an answer in %s", async (encoding, compress) => {
    const bytes = compress(Buffer.from(toEvent("größer").repeat(3)));
    const url = await serve((response) => response.end(bytes), { "content-encoding": encoding });
    const response = await providerFetch(url, POST);
    expect(textOf(parse(await response.text()))).toBe("größer".repeat(3));
  });

  it("ends at [DONE], though the server keeps the connection open", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((response) => {
      response.on("close", () => closed.resolve());
      response.write(`${toEvent("a")}data: [DONE]\n\n${toEvent("b")}`);
    });
    expect(textOf(parse(await (await providerFetch(url, POST)).text()))).toBe("a");
    await closed.promise;
  });

  it.each([
    ["application/json", "{}", "JSON instead of an event stream: {}"],
    [
      "application/json",
      '{"detail":[{"msg":"No such path"}]}',
      "JSON instead of an event stream: No such path",
    ],
    [
      "text/html; charset=utf-8",
      "<!DOCTYPE html><title>Sign in</title>",
      "a web page (Sign in) instead of an event stream",
    ],
    ["TEXT/HTML", "", "a web page (without a title) instead of an event stream"],
  ])("refuses %s %s", async (type, body, what) => {
    const url = await serve((response) => response.end(body), { "content-type": type });
    await expect(providerFetch(url, POST)).rejects.toThrow(
      `The OpenAI-compatible server answered with ${what}. Check the address in Settings > Models`,
    );
  });
});
