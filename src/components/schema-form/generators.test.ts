import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "@/contract/json";
import { ANY_JSON } from "./form-keywords";
import { toFormSchema } from "./to-form-schema";

type Folder = { name: string; folders: Folder[]; parent?: Folder | null | undefined };
const Folder: z.ZodType<Folder> = z.lazy(() =>
  z.object({ name: z.string(), folders: z.array(Folder), parent: Folder.nullish() }),
);
const Base = z.object({ id: z.uuid(), at: z.iso.datetime() });

const ZOD: Record<string, z.ZodType> = {
  "a discriminated union": z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("card"), number: z.string().regex(/^\d{16}$/) }),
    z.object({ kind: z.literal("cash") }),
  ]),
  "a union of texts, numbers and none": z.union([z.string(), z.number(), z.null()]),
  "a record": z.object({ labels: z.record(z.string(), z.string()) }),
  "a record of listed names": z.object({ hours: z.record(z.enum(["mon", "tue"]), z.number()) }),
  "a partial record": z.object({ hours: z.partialRecord(z.enum(["mon", "tue"]), z.number()) }),
  "a record whose names have a pattern": z.record(z.string().regex(/^[A-Z]+$/), z.int()),
  "a tuple": z.object({ range: z.tuple([z.int(), z.int()]) }),
  "an intersection": z.intersection(Base, z.object({ note: z.string() })),
  "an extension": Base.extend({ tags: z.array(z.enum(["a", "b"])).default(["a"]) }),
  "nullish and defaults": z.object({
    a: z.string().nullish(),
    b: z.int().nullable().default(null),
    c: z.boolean().default(true),
    d: z.enum(["x", "y"]).nullable(),
  }),
  "a native enum": z.object({ level: z.enum({ Low: 1, High: 2 }) }),
  "literals of several types": z.object({ value: z.literal(["a", 1, true, null]) }),
  "a set of literals": z.object({ one: z.union([z.literal("a"), z.literal("b")]) }),
  "texts with formats": z.object({
    mail: z.email(),
    link: z.url(),
    day: z.iso.date(),
    time: z.iso.time(),
    file: z.base64(),
    address: z.ipv4(),
  }),
  "numbers with limits": z.object({ rate: z.number().gt(0).lte(1).multipleOf(0.05), n: z.int32() }),
  "a recursive type": Folder,
  "a description and an example": z.object({
    a: z.string().meta({ title: "A", description: "Why", examples: ["x"] }),
  }),
  "a union of objects without a discriminator": z.object({
    place: z.union([
      z.object({ city: z.string() }),
      z.object({ lat: z.number(), lon: z.number() }),
    ]),
  }),
  "a strict object": z.strictObject({ a: z.string() }),
  "a nested union": z.object({
    a: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("one"), b: z.union([z.string(), z.number()]).optional() }),
      z.object({ kind: z.literal("two"), c: z.array(z.string().nullable()) }),
    ]),
  }),
};

const countJsonFields = (form: JsonObject | undefined): number =>
  JSON.stringify(form).split(`"${ANY_JSON}"`).length - 1;

describe("a form without JSON is drawn for what zod writes of", () => {
  const drafts = ["draft-2020-12", "draft-7"] as const;
  it.each(
    Object.entries(ZOD).flatMap(([what, schema]) =>
      drafts.map((target) => ({ what, schema, target })),
    ),
  )("$what, in $target", ({ what, schema, target }) => {
    const form = toFormSchema(z.toJSONSchema(schema, { target, io: "input" }) as JsonObject);
    expect(form).toBeDefined();
    // Where a type ends that contains itself.
    expect(countJsonFields(form) > 0).toBe(what === "a recursive type");
  });
});

/** As pydantic writes models. */
const PYDANTIC: Record<string, JsonObject> = {
  "an optional model with a default": {
    type: "object",
    title: "Order",
    $defs: {
      Address: {
        type: "object",
        title: "Address",
        properties: { street: { type: "string", title: "Street" } },
        required: ["street"],
      },
      Size: { type: "string", title: "Size", enum: ["s", "m"] },
    },
    properties: {
      to: { anyOf: [{ $ref: "#/$defs/Address" }, { type: "null" }], default: null },
      size: { $ref: "#/$defs/Size", default: "m", description: "Of the box." },
      from: { allOf: [{ $ref: "#/$defs/Address" }], title: "From" },
      amount: {
        anyOf: [
          { type: "number" },
          { type: "string", pattern: "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$" },
        ],
        title: "Amount",
      },
      scores: {
        anyOf: [{ type: "object", additionalProperties: { type: "integer" } }, { type: "null" }],
        default: null,
        title: "Scores",
      },
      tags: {
        type: "array",
        uniqueItems: true,
        items: { enum: ["a", "b"], type: "string" },
        title: "Tags",
      },
      point: {
        type: "array",
        minItems: 2,
        maxItems: 2,
        prefixItems: [{ type: "number" }, { type: "number" }],
        title: "Point",
      },
      wait: { type: "string", format: "duration", title: "Wait" },
      photo: { type: "string", format: "binary", title: "Photo" },
      pair: { type: "array", items: [{ type: "string" }, { type: "integer" }] },
    },
  },
  "a discriminated union with a mapping": {
    type: "object",
    properties: {
      pet: {
        title: "Pet",
        oneOf: [{ $ref: "#/definitions/Cat" }, { $ref: "#/definitions/Dog" }],
        discriminator: {
          propertyName: "pet_type",
          mapping: { cat: "#/definitions/Cat", dog: "#/definitions/Dog" },
        },
      },
    },
    definitions: {
      Cat: {
        type: "object",
        title: "Cat",
        properties: {
          pet_type: { const: "cat", default: "cat", title: "Pet Type", type: "string" },
          lives: { anyOf: [{ type: "integer" }, { type: "null" }], default: null, title: "Lives" },
        },
      },
      Dog: {
        type: "object",
        title: "Dog",
        properties: { pet_type: { const: "dog", title: "Pet Type" }, barks: { type: "boolean" } },
        required: ["pet_type", "barks"],
      },
    },
  },
};

it.each(Object.entries(PYDANTIC))("a form without JSON is drawn for %s", (_what, schema) => {
  expect(countJsonFields(toFormSchema(schema))).toBe(0);
});

/** As servers of the Model Context Protocol ask. */
const ELICITATIONS: JsonObject[] = [
  { type: "string", enum: ["a", "b"], enumNames: ["Alpha", "Beta"], default: "b" },
  {
    type: "string",
    oneOf: [
      { const: "a", title: "Alpha" },
      { const: "b", title: "Beta" },
    ],
  },
  { type: "array", minItems: 1, maxItems: 2, items: { type: "string", enum: ["a", "b"] } },
  {
    type: "array",
    items: {
      anyOf: [
        { const: "a", title: "Alpha" },
        { const: "b", title: "Beta" },
      ],
    },
    default: ["a"],
  },
  { type: "integer", minimum: 0, maximum: 10, default: 3 },
  { type: "string", format: "date-time" },
];

it.each(ELICITATIONS)("a form without JSON is drawn for %j", (schema) => {
  const form = toFormSchema({ type: "object", properties: { a: schema }, required: ["a"] });
  expect(countJsonFields(form)).toBe(0);
});
