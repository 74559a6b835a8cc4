import { describe, expect, it } from "vitest";
import { type AnnouncedCall, exclusivePolicy } from "./exclusive-policy";

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
  ["no calls at all are no batch", [], undefined],
  [
    "an exclusive call beside a provider's own call runs",
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
    "two exclusive calls both hear the first form",
    batch("advisor", "advisor"),
    [alone("advisor"), alone("advisor")],
  ],
  [
    "the others hear of the first exclusive call",
    batch("read_file", "planner", "advisor", "write_file"),
    [skipped("planner"), alone("planner"), alone("advisor"), skipped("planner")],
  ],
  [
    "a provider's call gets no outcome of ours",
    [call("web_search", 0, true), call("advisor", 1), call("read_file", 2)],
    [alone("advisor"), skipped("advisor")],
  ],
];

describe("exclusivePolicy", () => {
  it.each(rows)("%s", (_what, calls, texts) => {
    const outcomes = exclusivePolicy(calls, exclusive);
    const told = outcomes && [...outcomes.values()].map(({ output }) => output);
    expect(told).toEqual(texts?.map((text) => expect.stringContaining(text) as string));
  });

  it("answers each local call once, in call order, as an error", () => {
    const outcomes = exclusivePolicy(batch("read_file", "advisor", "ask_client"), exclusive);
    expect([...(outcomes ?? [])].map(([id, { state, isError }]) => [id, state, isError])).toEqual([
      ["call-0", "error", true],
      ["call-1", "error", true],
      ["call-2", "error", true],
    ]);
  });
});
