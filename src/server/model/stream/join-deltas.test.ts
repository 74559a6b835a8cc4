import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJoiningFetch, joinTextDeltas } from "./join-deltas";
import { createJsonFetch } from "./json-fetch";

const MARKERS = ['"content":"', '"reasoning":"', '"arguments":"'];

type CallDelta = { index: number; function: { name?: string; arguments: string } };
type Delta = { content?: string; reasoning?: string; role?: string; tool_calls?: CallDelta[] };

const toCall = (text: string, index = 0): CallDelta => ({ index, function: { arguments: text } });

const toEvent = (delta: Delta, fields: object = {}): string =>
  `data: ${JSON.stringify({ id: "a", choices: [{ index: 0, delta, finish_reason: null }], ...fields })}\n\n`;

const join = (text: string): string =>
  Buffer.from(joinTextDeltas(Buffer.from(text), MARKERS)).toString();

const parse = (text: string): string[] => {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  parser.feed(text);
  return events;
};

/** The text of each key in order; `|` between two keys. */
const getText = (events: readonly string[]): string =>
  events
    .map((data) => (JSON.parse(data) as { choices: { delta: Delta }[] }).choices[0]?.delta ?? {})
    .map(({ content = "", reasoning }) => (reasoning === undefined ? content : `|${reasoning}|`))
    .join("")
    .replaceAll("||", "");

describe("joinTextDeltas", () => {
  it("joins neighboring deltas of one key", () => {
    const text = ["one ", "two ", "three"].map((content) => toEvent({ content })).join("");
    expect(join(`: ping\n\n${text}`)).toBe(`: ping\n\n${toEvent({ content: "one two three" })}`);
  });

  it("joins the arguments of a call", () => {
    const pieces = ['{"a', '":1', "}"].map((text) => toEvent({ tool_calls: [toCall(text)] }));
    const whole = toEvent({ tool_calls: [toCall('{"a":1}')] });
    expect(join(`: ping\n\n${pieces.join("")}`)).toBe(`: ping\n\n${whole}`);
  });

  const named = { index: 0, function: { name: "now", arguments: "{}" } };

  it.each([
    ["of different keys", toEvent({ content: "a" }) + toEvent({ reasoning: "b" })],
    ["with other fields", toEvent({ content: "a" }, { id: "b" }) + toEvent({ content: "b" })],
    ["with a role", toEvent({ role: "assistant", content: "" }) + toEvent({ content: "b" })],
    ["with two texts", toEvent({ content: "", reasoning: "ha" }).repeat(2)],
    ["of two calls at a time", toEvent({ tool_calls: [toCall("1"), toCall("1", 1)] }).repeat(2)],
    [
      "of different calls",
      toEvent({ tool_calls: [toCall("1")] }) + toEvent({ tool_calls: [toCall("1", 1)] }),
    ],
    ["of calls that nothing tells apart", toEvent({ tool_calls: [named] }).repeat(2)],
    ["without text", toEvent({}) + toEvent({})],
    ["with other line ends", toEvent({ content: "a" }).replace("\n\n", "\r\n\r\n").repeat(2)],
    ["that are no JSON", 'data: "content":"a\n\n'.repeat(2)],
  ])("leaves events %s as they are", (_what, events) => {
    const text = `: ping\n\n${events}`;
    expect(join(text)).toBe(text);
  });

  it("keeps a text that looks like a key", () => {
    const contents = ['"content":"', '\\"content\\":\\"', '"', "\\", "\n\n", "😀"];
    const text = `: ping\n\n${contents.map((content) => toEvent({ content })).join("")}`;
    expect(getText(parse(join(text)))).toBe(contents.join(""));
  });

  it("never changes the text, however the bytes are cut", () => {
    const delta = fc.oneof(
      fc.record({ content: fc.string({ unit: "grapheme" }) }),
      fc.record({ reasoning: fc.string({ unit: "grapheme", minLength: 1 }) }),
    );
    fc.assert(
      fc.property(fc.array(delta), fc.array(fc.nat(400)), (deltas, cuts) => {
        let rest = Buffer.from(deltas.map((each) => toEvent(each)).join(""));
        const joined: Uint8Array[] = [];
        for (const cut of cuts) {
          joined.push(joinTextDeltas(rest.subarray(0, cut), MARKERS));
          rest = rest.subarray(cut);
        }
        joined.push(joinTextDeltas(rest, MARKERS));
        const expected = getText(deltas.map((each) => toEvent(each).slice("data: ".length)));
        expect(getText(parse(Buffer.concat(joined).toString()))).toBe(expected);
      }),
    );
  });
});

/** Starts a server that answers with an event stream. @returns its address. */
const serve = async (answer: (response: ServerResponse) => void): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

describe("createJoiningFetch", () => {
  const POST = { method: "POST", body: "{}" };
  const joiningFetch = createJoiningFetch(["content"], createJsonFetch());

  it("joins what arrives together", async () => {
    const url = await serve((response) => {
      for (let count = 0; count < 1_000; count++) response.write(toEvent({ content: "word " }));
      response.end("data: [DONE]\n\n");
    });
    const events = parse(await (await joiningFetch(url, POST)).text());
    expect(getText(events.slice(0, -1))).toBe("word ".repeat(1_000));
    expect(events.length).toBeLessThan(200);
  });

  it("passes each event on before the next one is sent", async () => {
    const received = Promise.withResolvers<void>();
    const url = await serve((response) => {
      response.write(toEvent({ content: "0" }));
      received.promise.then(
        () => response.end(toEvent({ content: "1" })),
        () => undefined,
      );
    });
    const seen: string[] = [];
    const body = (await joiningFetch(url, POST)).body?.pipeThrough(new TextDecoderStream());
    for await (const text of body ?? []) {
      seen.push(getText(parse(text)));
      received.resolve();
    }
    expect(seen).toEqual(["0", "1"]);
  });

  it("fails when the connection is lost, after what has arrived", async () => {
    const url = await serve((response) => {
      response.write(toEvent({ content: "kept" }), () => response.destroy());
    });
    const body = (await joiningFetch(url, POST)).body?.pipeThrough(new TextDecoderStream());
    let text = "";
    const read = async () => {
      for await (const chunk of body ?? []) text += chunk;
    };
    await expect(read()).rejects.toThrow();
    expect(getText(parse(text))).toBe("kept");
  });

  it("ends the connection when the client cancels", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((response) => {
      response.on("close", () => closed.resolve());
      response.write(toEvent({ content: "a" }));
    });
    const reader = (await joiningFetch(url, POST)).body?.getReader();
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
    const headers = { "content-type": "text/event-stream" };
    const joiningFetch = createJoiningFetch([], () =>
      Promise.resolve(new Response(stream, { headers })),
    );
    const { body } = await joiningFetch("https://provider.example");
    const controller = await source.promise;
    controller.enqueue(Buffer.from(toEvent({ content: "a" })));
    // The chunk arrives, but is passed on only at the end of this iteration of the event loop.
    for (let task = 0; task < MICROTASKS; task++) await Promise.resolve();
    controller.error(new Error("lost"));
    // What is thrown behind it would be an unhandled rejection, which fails the run.
    await body?.cancel().catch(() => undefined);
    await new Promise(setImmediate);
  });

  it("stops reading while its client does not read", async () => {
    let sent = 0;
    const event = toEvent({ content: "x".repeat(60_000) });
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
    const response = await joiningFetch(url);
    await stopped.promise;
    expect(sent).toBeLessThan(500);
    await response.body?.cancel();
  });
});
