import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EventRepair, readEvents } from "./event-reader";

type Delta = { content?: string; reasoning?: string };

const toData = (delta: Delta): string => JSON.stringify({ id: "a", choices: [{ delta }] });

const KEEP: EventRepair = { read: (data) => (data === "[DONE]" ? [] : [data]), end: () => [] };

const toStream = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

/** Reads an answer that comes in the given pieces. @returns the data of the events that are passed on. */
const read = async (pieces: readonly Uint8Array[], repair = KEEP): Promise<string[]> => {
  const stream = readEvents(toStream(pieces), {
    textKeys: ["content", "reasoning"],
    createRepair: () => repair,
  });
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  parser.feed(await new Response(stream).text());
  return events;
};

const cut = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
  const ends = [...cuts.map((at) => at % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
};

/** The text of each key in order; `|` between two keys. */
const textOf = (events: readonly string[]): string =>
  events
    .map((data) => (JSON.parse(data) as { choices: { delta: Delta }[] }).choices[0]?.delta ?? {})
    .map(({ content = "", reasoning }) => (reasoning === undefined ? content : `|${reasoning}|`))
    .join("")
    .replaceAll("||", "");

describe("readEvents", () => {
  it.each([
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["CR", "\r"],
  ])(
    "reads lines that end in %s, comments, names and several lines of data",
    async (_name, end) => {
      const lines = [
        "\uFEFF: ping",
        "",
        "event: chunk",
        "id: 5",
        'data: {"a":',
        "data: 1}",
        "",
        "data:2",
      ];
      const bytes = Buffer.from(lines.join(end));
      for (let size = 1; size <= bytes.length; size++) {
        const cuts = Array.from({ length: bytes.length }, (_, index) => index * size);
        expect(await read(cut(bytes, cuts))).toEqual(['{"a": 1}', "2"]);
      }
    },
  );

  it("joins what arrives together, and passes the rest on as it is", async () => {
    const events = ["one ", "two ", "three"].map((content) => `data: ${toData({ content })}\n\n`);
    expect(await read([Buffer.from(events.join(""))])).toEqual([
      toData({ content: "one two three" }),
    ]);
    expect(await read(events.map((event) => Buffer.from(event)))).toHaveLength(3);
  });

  it("keeps a text that looks like a key", async () => {
    const contents = ['"content":"', '\\"content\\":\\"', '"', "\\", "\n\n", "😀"];
    const events = contents.map((content) => `data: ${toData({ content })}\n\n`);
    expect(textOf(await read([Buffer.from(events.join(""))]))).toBe(contents.join(""));
  });

  it("never changes the text, however the bytes are cut", async () => {
    const delta = fc.oneof(
      fc.record({ content: fc.string({ unit: "grapheme" }) }),
      fc.record({ reasoning: fc.string({ unit: "grapheme", minLength: 1 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(delta), fc.array(fc.nat()), async (deltas, cuts) => {
        const bytes = Buffer.from(deltas.map((each) => `data: ${toData(each)}\n\n`).join(""));
        expect(textOf(await read(cut(bytes, cuts)))).toBe(textOf(deltas.map(toData)));
      }),
    );
  });

  it("repairs each event but those that differ in a text only from one that is right", async () => {
    const seen: string[] = [];
    const repair: EventRepair = {
      read: (data) => {
        seen.push(data);
        return data === "no" ? [] : data.includes("größer") ? [data, "more"] : [data];
      },
      end: () => ["last ä"],
    };
    const events = [
      toData({ content: "a" }),
      "no",
      toData({ content: "b" }),
      toData({ reasoning: "größer" }),
    ];
    const pieces = events.map((data) => Buffer.from(`data: ${data}\n\n`));
    expect(await read(pieces, repair)).toEqual([
      toData({ content: "a" }),
      toData({ content: "b" }),
      toData({ reasoning: "größer" }),
      "more",
      "last ä",
    ]);
    expect(seen).toEqual([toData({ content: "a" }), "no", toData({ reasoning: "größer" })]);
  });
});
