import sax from "sax";
import { createAnswerReader } from "@/server/model/xml/answer-reader";
import { toShape } from "@/server/model/value-shape";
import { measureCpuMs } from "@/test/cpu-time";

// A program that prints, as JSON, what reading blocks of calls costs in multiples of a bare pass of the XML library
// over the same pieces, of each round. Tests of many files in one process, and their imports, would change the figures.

const SHAPE = toShape({
  type: "object",
  properties: {
    path: { type: "string" },
    line: { type: "integer" },
    edits: {
      type: "array",
      items: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } } },
    },
  },
});
const LINE = "  if (a < b && c[d] > 1) return `<b>${text}</b>`; // é\n";
const toTool = (content: string): string => `<tool name="edit">\n${content}\n</tool>`;
const toShortTexts = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<edits><from><![CDATA[a${index}]]></from><to>b</to></edits>`,
  ).join("\n");
const TOOLS: Record<string, string> = {
  "short texts": toTool(toShortTexts(1_000)),
  "short calls": toTool("<line>5</line>\n<path>notes.md</path>").repeat(300),
  "a long text": toTool(
    `<path>a</path><edits><from><![CDATA[${LINE.repeat(1_000)}]]></from></edits>`,
  ),
  "a long text without CDATA": toTool(`<note>${"Two words. \n".repeat(2_000)}</note>`),
};
const SIZES = [1, 40, Infinity];
const ROUNDS = 5;

const ignore = (): void => undefined;
const readBlock = (pieces: readonly string[]): void => {
  const sink = { text: ignore, startBlock: ignore };
  const reader = createAnswerReader(
    { findShape: () => SHAPE, word: "" },
    {
      ...sink,
      endBlock: ({ fault }) => {
        if (fault) throw new Error(`${fault.found} at ${fault.offset}`);
      },
    },
  );
  reader.push("```xml\n");
  for (const piece of pieces) reader.push(piece);
  reader.push("\n```\n");
  if (reader.end()) throw new Error("the block has no end");
};
const passBarely = (pieces: readonly string[]): void => {
  const parser = sax.parser(true);
  for (const piece of pieces) parser.write(piece);
  parser.close();
};

const cut = (xml: string, size: number): string[] => {
  const length = Math.min(size, xml.length);
  return Array.from({ length: Math.ceil(xml.length / length) }, (_, index) =>
    xml.slice(index * length, (index + 1) * length),
  );
};

/** @returns the ratio of a round, in which both are measured one after the other. */
const measureRatio = async (pieces: readonly string[]): Promise<number> => {
  const barely = await measureCpuMs(() => passBarely(pieces));
  return (await measureCpuMs(() => readBlock(pieces))) / barely;
};

const costs: Record<string, number[]> = {};
for (const [what, tools] of Object.entries(TOOLS)) {
  for (const size of SIZES) {
    const pieces = cut(`<tools>${tools}</tools>`, size);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) ratios.push(await measureRatio(pieces));
    costs[`${what} in pieces of ${size}`] = ratios;
  }
}
process.stdout.write(`${JSON.stringify(costs)}\n`);
