import { describe, expect, it } from "vitest";
import * as z from "zod";
import { findPart, type SettingField, toControlSchema, toSentValue } from "./setting-fields";

const Way = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("http"), url: z.string() }).meta({ id: "TestHttpWay" }),
  z.strictObject({ type: z.literal("stdio"), network: z.boolean().default(false) }),
]);
const Harbor = z.strictObject({
  name: z.string(),
  berths: z.int().min(1).nullable().default(null),
  note: z.string().default(""),
  way: Way.optional(),
  key: z.string().nullable().optional(),
});

const field = (path: string, rest: Partial<SettingField> = {}): SettingField => ({
  path,
  label: path,
  ...rest,
});
const send = (one: SettingField, value: Parameters<typeof toSentValue>[2]) =>
  toSentValue(findPart(Harbor, one.path), one, value);

describe("the contract says of a field", () => {
  it.each([
    ["name", { type: "string" }, { isNullable: false, isRequired: true }],
    ["berths", { type: "integer" }, { isNullable: true, isRequired: false }],
    ["way/url", { type: "string" }, { isNullable: false, isRequired: true }],
    ["way/network", { type: "boolean", default: false }, { isNullable: false, isRequired: false }],
    ["unknown/key", {}, { isNullable: false, isRequired: false }],
  ])("%s: its type, and whether it may be empty", (path, schema, rest) => {
    expect(findPart(Harbor, path)).toMatchObject({ schema, ...rest });
  });
});

it("a control has the type of the contract, and the texts of the page", () => {
  const show = (one: SettingField) => toControlSchema(findPart(Harbor, one.path), one);
  expect(show(field("berths", { hint: "How many." }))).toEqual({
    type: "integer",
    description: "How many.",
    "x-control": "line",
  });
  expect(show(field("way/network"))).toEqual({ type: "boolean", "x-control": "checkbox" });
  expect(show(field("key", { control: "secret" }))).toEqual({ type: "string", format: "password" });
  expect(show(field("way/type", { names: { http: "By HTTP" } }))).toEqual({
    enum: ["http"],
    "x-value-names": ["By HTTP"],
    "x-control": "select",
  });
});

it("an empty field is null, an empty text or left out, as the contract allows", () => {
  expect(send(field("name"), " Oban ")).toBe("Oban");
  expect(send(field("name"), " ")).toBe("");
  expect(send(field("berths"), undefined)).toBeNull();
  expect(send(field("note"), undefined)).toBe("");
  expect(send(field("way/network"), undefined)).toBeUndefined();
  expect(send(field("note", { control: "lines" }), " two\nlines ")).toBe(" two\nlines ");
  expect(send(field("key"), "")).toBeNull();
});

it("an empty secret is left out, so that the stored one is kept", () => {
  expect(send(field("key", { control: "secret" }), "")).toBeUndefined();
});
