import { describe, expect, it } from "vitest";
import { type AnnouncedCall, applyExclusivePolicy } from "./exclusive-policy";

const exclusive = new Set(["advisor", "planner"]);
const call = (toolName: string, index: number, providerExecuted = false): AnnouncedCall => ({
  toolCallId: `call-${index}`,
  toolName,
  providerExecuted,
});
const batch = (...names: string[]) => names.map((name, index) => call(name, index));
const alone = (name: string) => `Not run: "${name}" must be the only tool call of its batch.`;
const skipped = (name: string) => `Skipped: "${name}" was called in the same batch`;

const rows: [what: string, calls: AnnouncedCall[], texts: string[] | undefined][] = [
  ["an exclusive call alone runs", batch("advisor"), undefined],
  ["a batch without an exclusive call runs", batch("read_file", "ask_client"), undefined],
  ["without calls there is nothing to refuse", [], undefined],
  [
    "an exclusive call together with a provider's own call runs",
    [call("web_search", 0, true), call("advisor", 1)],
    undefined,
  ],
  [
    "two provider calls named like an exclusive tool run",
    [call("advisor", 0, true), call("advisor", 1, true)],
    undefined,
  ],
  [
    "with a built-in call nothing runs",
    batch("advisor", "read_file"),
    [alone("advisor"), skipped("advisor")],
  ],
  [
    "with a dynamic call nothing runs, so no action is required",
    batch("ask_client", "advisor"),
    [skipped("advisor"), alone("advisor")],
  ],
  [
    "each of two exclusive calls must be alone",
    batch("advisor", "advisor"),
    [alone("advisor"), alone("advisor")],
  ],
  [
    "the other calls name the first exclusive call",
    batch("read_file", "planner", "advisor", "write_file"),
    [skipped("planner"), alone("planner"), alone("advisor"), skipped("planner")],
  ],
  [
    "a provider's call gets no outcome",
    [call("web_search", 0, true), call("advisor", 1), call("read_file", 2)],
    [alone("advisor"), skipped("advisor")],
  ],
];

describe("applyExclusivePolicy", () => {
  it.each(rows)("%s", (_what, calls, texts) => {
    const outcomes = applyExclusivePolicy(calls, exclusive);
    const outputs = outcomes && [...outcomes.values()].map(({ output }) => output);
    expect(outputs).toEqual(texts?.map((text) => expect.stringContaining(text) as string));
  });

  it("answers each local call once, in call order, as an error", () => {
    const outcomes = applyExclusivePolicy(batch("read_file", "advisor", "ask_client"), exclusive);
    expect([...(outcomes ?? [])].map(([id, { state, isError }]) => [id, state, isError])).toEqual([
      ["call-0", "error", true],
      ["call-1", "error", true],
      ["call-2", "error", true],
    ]);
  });
});
