import sax from "sax";
import { expect, it } from "vitest";
import { measureCpuMs } from "@/test/cpu-time";
import { createAnswerReader } from "./answer-reader";
import { toShape } from "./value-shape";

const SHAPE = toShape({
  type: "object",
  properties: {
    path: { type: "string" },
    edits: {
      type: "array",
      items: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } } },
    },
  },
});
const toBlock = (content: string): string =>
  `<tools><tool name="edit">\n${content}\n</tool></tools>`;
const LINE = "  if (a < b && c[d] > 1) return `<b>${text}</b>`; // é\n";
const BLOCKS = {
  "short texts": toBlock(
    Array.from(
      { length: 1_000 },
      (_, index) => `<edits><from><![CDATA[a${index}]]></from><to>b</to></edits>`,
    ).join("\n"),
  ),
  "a long text": toBlock(
    `<path>a</path><edits><from><![CDATA[${LINE.repeat(1_000)}]]></from></edits>`,
  ),
};

/** Multiples of a bare pass of the library. */
const MAX_RATIO = 2;

const ignore = (): void => undefined;
const readBlock = (pieces: readonly string[]): void => {
  const faults: unknown[] = [];
  const sink = { text: ignore, openCall: ignore, growCall: ignore, closeCall: ignore };
  const reader = createAnswerReader(() => SHAPE, {
    ...sink,
    endBlock: ({ fault }) => void (fault && faults.push(fault)),
  });
  for (const piece of ["```xml\n", ...pieces, "\n```\n"]) reader.push(piece);
  reader.end();
  expect(faults).toEqual([]);
};
const passBarely = (pieces: readonly string[]): void => {
  const parser = sax.parser(true);
  for (const piece of pieces) parser.write(piece);
  parser.close();
};

it.each<[what: keyof typeof BLOCKS, size: number]>([
  ["short texts", 40],
  ["short texts", Infinity],
  ["a long text", 40],
  ["a long text", Infinity],
])("%s in pieces of %s characters take at most twice a pass of the library", async (what, size) => {
  const xml = BLOCKS[what];
  const length = Math.min(size, xml.length);
  const pieces = Array.from({ length: Math.ceil(xml.length / length) }, (_, index) =>
    xml.slice(index * length, (index + 1) * length),
  );
  // The best of some, as collected garbage and other programs only add to a time.
  let best = Infinity;
  for (let round = 0; round < 5 && best >= MAX_RATIO; round++) {
    const barely = await measureCpuMs(() => passBarely(pieces));
    best = Math.min(best, (await measureCpuMs(() => readBlock(pieces))) / barely);
  }
  expect(best).toBeLessThan(MAX_RATIO);
});
