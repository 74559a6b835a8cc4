import { describe, expect, it } from "vitest";
import { MAX_GROWTH, measureGrowth } from "@/test/cpu-time";
import { readToolDraft } from "./tool-draft";
import { TOOL_EXAMPLES } from "./tool-examples";

const [{ draft }] = TOOL_EXAMPLES;

describe("readToolDraft", () => {
  it("reads a pasted megabyte in a time that grows no faster than the text", async () => {
    const read = (length: number) => {
      const items = Array.from({ length }, (_, index) => ({ const: `value ${index}` }));
      return readToolDraft({ ...draft, inputSchema: JSON.stringify({ anyOf: items }) });
    };
    expect(read(40_000)).toHaveProperty("errors.inputSchema");
    expect(await measureGrowth("a schema", read, 4_000)).toBeLessThan(MAX_GROWTH);
  });
});
