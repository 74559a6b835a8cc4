import { expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { createAliases, renameProperties } from "./property-aliases";

const text = { type: "string" };

const listAliases = (...names: string[]) => {
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  return Object.fromEntries(createAliases({ type: "object", properties })?.toAlias ?? []);
};

it("leaves names that can be used", () => {
  const usable = ["a", "A.b-c_9", "x".repeat(64), "toString"];
  expect(listAliases(...usable)).toEqual({});
});

it.each<[what: string, names: string[], aliases: Record<string, string>]>([
  ["a sign", ["$filter"], { $filter: "_filter" }],
  ["brackets", ["user[name]"], { "user[name]": "user_name" }],
  ["spaces", ["first name "], { "first name ": "first_name" }],
  ["slashes", ["a/b"], { "a/b": "a_b" }],
  ["letters of other scripts", ["größe", "城市"], { größe: "gr_e", 城市: "_" }],
  ["nothing", [""], { "": "_" }],
  ["more than 64 characters", ["x".repeat(65)], { ["x".repeat(65)]: "x".repeat(64) }],
  ["the same rest", ["a b", "a$b", "a_b"], { "a b": "a_b_2", a$b: "a_b_3" }],
  [
    "the same first 64 characters",
    ["x".repeat(64), `${"x".repeat(64)}y`],
    { [`${"x".repeat(64)}y`]: `${"x".repeat(62)}_2` },
  ],
])("renames names with %s", (_what, names, aliases) => {
  expect(listAliases(...names)).toEqual(aliases);
});

it("takes no name that is required only", () => {
  const schema = { properties: { "a b": text }, required: ["a_b"] };
  expect([...(createAliases(schema)?.toAlias ?? [])]).toEqual([["a b", "a_b_2"]]);
});

it("renames properties wherever they are, and what refers to them", () => {
  const schema: JsonValue = {
    type: "object",
    properties: {
      $top: { type: "integer", description: "How many" },
      where: {
        anyOf: [
          { properties: { "a b": text }, required: ["a b"] },
          { items: { properties: { $top: true } } },
        ],
      },
      map: {
        additionalProperties: { properties: { "a b": text } },
        patternProperties: { "^$": text },
      },
    },
    required: ["$top", "where"],
    dependentRequired: { $top: ["where", "$top"] },
    dependentSchemas: { $top: { required: ["$top"] } },
  };
  const aliases = createAliases(schema);
  expect(aliases && renameProperties(schema, aliases)).toEqual({
    type: "object",
    properties: {
      _top: { type: "integer", description: 'How many (The name is "$top".)' },
      where: {
        anyOf: [
          {
            properties: { a_b: { ...text, description: '(The name is "a b".)' } },
            required: ["a_b"],
          },
          { items: { properties: { _top: true } } },
        ],
      },
      map: {
        additionalProperties: {
          properties: { a_b: { ...text, description: '(The name is "a b".)' } },
        },
        patternProperties: { "^$": text },
      },
    },
    required: ["_top", "where"],
    dependentRequired: { _top: ["where", "_top"] },
    dependentSchemas: { _top: { required: ["_top"] } },
  });
});
