import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { validateValues } from "./validate-values";

const validate = async (schema: JsonValue | undefined, value: JsonValue, userId = "user-1") =>
  (await validateValues([{ schema, value }], userId))[0];

const BACKTRACKING = { type: "string", pattern: "^(a+)+$" };
const EVIL_TEXT = `${"a".repeat(60)}!`;

/** a refers twice to b, b twice to c, …: 2^40 ways through one value. */
const doubling = (keyword: string): JsonValue => {
  const names = Array.from({ length: 41 }, (_, index) => `d${index}`);
  const $defs = Object.fromEntries(
    names.map((name, index) => {
      const ref = { $ref: `#/$defs/d${index + 1}` };
      return [name, index === 40 ? { type: "string" } : { [keyword]: [ref, ref] }];
    }),
  );
  return { $defs, $ref: "#/$defs/d0" };
};

const bombs: [what: string, schema: JsonValue, value: JsonValue][] = [
  ["a pattern that backtracks", BACKTRACKING, EVIL_TEXT],
  [
    "a property pattern that backtracks",
    { type: "object", patternProperties: { "^(a|a)*$": { type: "number" } } },
    { [EVIL_TEXT]: 1 },
  ],
  [
    "a format whose own pattern backtracks",
    { type: "string", format: "url" },
    `http://${EVIL_TEXT}`,
  ],
  ["references that double at each step in allOf", doubling("allOf"), 5],
  ["references that double at each step in anyOf", doubling("anyOf"), 5],
  ["a reference to itself", { $ref: "#" }, 5],
  [
    "a cycle of references",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    5,
  ],
  [
    "unique items in a long list",
    { type: "array", uniqueItems: true },
    Array.from({ length: 200_000 }, (_, index) => index),
  ],
];

// Each of these would take hours.
describe("validateValues stops without errors on", () => {
  it.each(bombs)("%s", async (_what, schema, value) => {
    expect(await validate(schema, value)).toEqual([]);
  });

  it("60 values that share one budget, of which only the first ones are checked", async () => {
    const values = Array.from({ length: 60 }, () => ({ schema: BACKTRACKING, value: EVIL_TEXT }));
    const [first, ...others] = await validateValues(
      [{ schema: { type: "number" }, value: "a" }, ...values],
      "user-1",
    );
    expect(first).toEqual([{ pointer: "", message: "must be a number" }]);
    expect(others.flat()).toEqual([]);
    expect(others).toHaveLength(60);
  });

  it("a value with more errors than the memory of a thread holds", async () => {
    const list = Array.from({ length: 400_000 }, () => 1);
    const option = { items: { type: "string", title: "x".repeat(1_000) } };
    const schema = { anyOf: Array.from({ length: 200 }, () => option) };
    expect(await validate(schema, list)).toEqual([]);
  });
});

describe("validateValues lets a user wait only for own values:", () => {
  it("another user's values are checked between those of one who sends many", async () => {
    const finished: string[] = [];
    const evil = Array.from({ length: 12 }, async (_, index) => {
      await validate(BACKTRACKING, EVIL_TEXT, "attacker");
      finished.push(`attacker ${index}`);
    });
    expect(await validate({ type: "number" }, "a", "user")).toHaveLength(1);
    finished.push("user");
    await Promise.all(evil);
    expect(finished.indexOf("user")).toBeLessThan(3);
  });
});

describe("validateValues reports", () => {
  it("errors by an ordinary schema", async () => {
    expect(await validate({ type: "object", required: ["a"] }, {})).toEqual([
      { pointer: "/a", message: "is required" },
    ]);
  });

  it("errors by a schema that refers to itself for a child value", async () => {
    const tree: JsonValue = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    };
    const errors = await validate(tree, {
      name: "a",
      children: [{ name: "b", children: [{ name: 1 }] }],
    });
    expect(errors?.map(({ pointer }) => pointer)).toEqual(["/children/0/children/0/name"]);
  });

  it("errors of each value in order, where some have no schema", async () => {
    const schema = { type: "number" };
    const values = [
      { schema: undefined, value: "a" },
      { schema, value: "b" },
      { schema, value: 1 },
      { schema: { type: "string" }, value: 1 },
    ];
    expect(await validateValues(values, "user-1")).toMatchObject([[], [{}], [], [{}]]);
    expect(await validateValues([], "user-1")).toEqual([]);
  });

  it("errors after a schema that exceeded the time", async () => {
    await validate(BACKTRACKING, EVIL_TEXT);
    expect(await validate({ type: "number" }, "a")).toHaveLength(1);
  });

  it("a bounded number of errors", async () => {
    const list = Array.from({ length: 1_000 }, () => 1);
    expect(await validate({ items: { type: "string" } }, list)).toHaveLength(100);
  });

  it("errors without changing a prototype through names like __proto__", async () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as JsonValue;
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    ) as JsonValue;
    expect(await validate(schema, value)).toEqual([
      { pointer: "/__proto__", message: "must be a string" },
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("no errors without a schema", async () => {
    expect(await validate(undefined, 5)).toEqual([]);
  });
});

const FORMATS =
  "date time date-time duration uri url uri-reference hostname email ipv4 ipv6 regex uuid json-pointer byte";

it.each(FORMATS.split(" "))(
  "a text that is not in the format %s is explained by an example or in words",
  async (format) => {
    const [error] = (await validate({ type: "string", format }, "( [")) ?? [];
    expect(error?.message).toMatch(/^must be an? |^must be the /);
  },
);
