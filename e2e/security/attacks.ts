import { expect } from "@playwright/test";
import type { JsonValue } from "@/contract/json";
import type { Api, NewChat } from "../api";

/** What the pattern backtracks on. */
export const EVIL_TEXT = `${"a".repeat(60)}!`;
export const BACKTRACKING = { type: "string", pattern: "^(a+)+$" };

/** Definitions of which each has the next one twice, without a pattern. */
export const createDoubling = (keyword: string): JsonValue => ({
  type: "object",
  properties: { a: { $ref: "#/$defs/0" } },
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, index) => {
      const next = { $ref: `#/$defs/${index + 1}` };
      return [index, index === 40 ? { type: "string" } : { [keyword]: [next, next] }];
    }),
  ),
});

/** Results whose check would take hours without a limit. */
type Attack = { what: string; count: number; schema: JsonValue; output: JsonValue };

export const ATTACKS: readonly Attack[] = [
  {
    what: "60 results that a pattern backtracks on",
    count: 60,
    schema: BACKTRACKING,
    output: EVIL_TEXT,
  },
  {
    what: "4 results for a schema whose options double",
    count: 4,
    schema: createDoubling("anyOf"),
    output: { a: 5 },
  },
  {
    what: "4 results for a schema whose parts double",
    count: 4,
    schema: createDoubling("allOf"),
    output: { a: 5 },
  },
];

/** Starts a chat that waits for the results of an attack. @returns what to submit. */
export const parkAttack = async (api: Api, { count, schema, output }: Attack) => {
  const names = Array.from({ length: count }, (_, index) => `evil${index}`);
  const { id } = await api.createChat({
    content: `use ${names.join(" and ")}`,
    dynamic_tools: names.map((name) => ({ name, output_schema: schema })),
  });
  const { required_action } = await api.waitForStatus(id, ["requires_action"]);
  const calls = required_action?.tool_calls ?? [];
  expect(calls).toHaveLength(count);
  return { id, results: calls.map(({ tool_call_id }) => ({ tool_call_id, output })) };
};

const chain = Array.from({ length: 1_500 }, (_, index) => [
  index,
  { items: { $ref: `#/$defs/${index + 1}` } },
]);

/** A new chat with tools whose references double, chain or are of no use. */
export const SLOPPY_CHAT: NewChat = {
  content: "use sloppy",
  dynamic_tools: [
    {
      name: "chain",
      input_schema: {
        properties: { a: { $ref: "#/$defs/0" } },
        $defs: Object.fromEntries(chain) as JsonValue,
      },
    },
    {
      name: "sloppy",
      input_schema: {
        type: ["object", "null"],
        properties: { city: { type: "string" }, old: false },
        required: null,
      },
    },
    ...Array.from({ length: 50 }, (_, index) => ({
      name: `branching${index}`,
      input_schema: createDoubling("allOf"),
    })),
  ],
};
