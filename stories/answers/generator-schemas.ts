import type { JsonObject } from "@/contract/json";

const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const nothing = { type: "null" };

/** What zod, pydantic, servers of tools and people write as the schema of an answer. */
export const GENERATOR_SCHEMAS = {
  nested: object(
    {
      guest: {
        ...object(
          {
            name: { ...text, title: "Full name" },
            home: object(
              {
                street: text,
                zip: { ...text, pattern: "^[0-9]{5}$", description: "Five digits" },
                country: { ...text, enum: ["DE", "FR", "US", "JP", "BR", "IN", "NG"] },
                place: object({
                  lat: { type: "number", minimum: -90, maximum: 90 },
                  lon: { type: "number", minimum: -180, maximum: 180 },
                }),
              },
              "street",
              "country",
            ),
          },
          "name",
          "home",
        ),
        title: "Guest",
      },
    },
    "guest",
  ),
  "list-of-objects": object(
    {
      lines: {
        type: "array",
        title: "Invoice lines",
        minItems: 1,
        items: object(
          {
            sku: text,
            quantity: { type: "integer", minimum: 1, default: 1 },
            price: { type: "number", minimum: 0, multipleOf: 0.01 },
            note: text,
          },
          "sku",
          "quantity",
          "price",
        ),
      },
    },
    "lines",
  ),
  "union-of-constants": object(
    {
      payment: {
        title: "Payment",
        oneOf: [
          {
            ...object(
              {
                kind: { const: "card" },
                number: { ...text, pattern: "^[0-9]{16}$" },
                expires: { ...text, pattern: "^[0-9]{2}/[0-9]{2}$" },
              },
              "kind",
              "number",
            ),
            title: "Card",
          },
          {
            ...object({ kind: { const: "transfer" }, iban: text }, "kind", "iban"),
            title: "Bank transfer",
          },
          { ...object({ kind: { const: "cash" } }, "kind"), title: "Cash" },
        ],
      },
    },
    "payment",
  ),
  "union-of-references": {
    ...object(
      {
        contact: {
          anyOf: [{ $ref: "#/$defs/Email" }, { $ref: "#/$defs/Phone" }],
          discriminator: {
            propertyName: "type",
            mapping: { email: "#/$defs/Email", phone: "#/$defs/Phone" },
          },
        },
      },
      "contact",
    ),
    $defs: {
      Email: {
        ...object(
          {
            type: { ...text, enum: ["email"], default: "email" },
            address: { ...text, format: "email" },
          },
          "type",
          "address",
        ),
        title: "Email",
      },
      Phone: {
        ...object(
          {
            type: { ...text, enum: ["phone"], default: "phone" },
            number: text,
            extension: { anyOf: [text, nothing], default: null },
          },
          "type",
          "number",
        ),
        title: "Phone",
      },
    },
  },
  "titled-values": object(
    {
      severity: {
        title: "Severity",
        oneOf: [
          { const: 1, title: "Low" },
          { const: 2, title: "Medium" },
          { const: 3, title: "High" },
          { const: 4, title: "Critical" },
          { const: 5, title: "Everything is on fire" },
        ],
      },
      tags: {
        type: "array",
        title: "Tags",
        items: { ...text, enum: ["bug", "feature", "docs", "speed"] },
      },
      mode: { enum: ["a", "b"], enumNames: ["Alpha", "Beta"] },
    },
    "severity",
    "tags",
  ),
  formats: object(
    {
      birth: { ...text, format: "date", title: "Born on" },
      meeting: { ...text, format: "date-time", title: "Meeting" },
      time: { ...text, format: "time", title: "Alarm" },
      duration: { ...text, format: "duration" },
      url: { ...text, format: "uri" },
      mail: { ...text, format: "email" },
      color: { ...text, format: "color" },
      id: { ...text, format: "uuid" },
      ip: { ...text, format: "ipv4" },
    },
    "birth",
    "meeting",
  ),
  files: object(
    {
      photo: {
        ...text,
        contentEncoding: "base64",
        contentMediaType: "image/png",
        title: "Photo of the meter",
      },
      contract: { ...text, format: "data-url", title: "Signed contract" },
      others: { type: "array", items: { ...text, format: "data-url" } },
      password: { ...text, format: "password" },
    },
    "photo",
  ),
  "long-texts": object(
    {
      report: {
        ...text,
        title: "Report",
        minLength: 20,
        maxLength: 4_000,
        description: "What happened, in your own words. ".repeat(12),
      },
      summary: { ...text, maxLength: 80 },
      data: { ...text, contentMediaType: "application/json" },
      page: { ...text, contentMediaType: "text/markdown" },
    },
    "report",
  ),
  numbers: object(
    {
      quantity: { type: "integer", minimum: 0, maximum: 100, multipleOf: 5 },
      rate: { type: "number", exclusiveMinimum: 0, maximum: 1, multipleOf: 0.05 },
      price: { type: "number", multipleOf: 0.01, examples: [9.99] },
      big: { type: "integer", description: "Up to 20 digits" },
      debt: { type: "number", maximum: 0 },
      rating: { type: "integer", minimum: 1, maximum: 5 },
    },
    "quantity",
    "rate",
  ),
  maps: object({
    env: {
      type: "object",
      title: "Environment",
      patternProperties: { "^[A-Z_]+$": text },
      additionalProperties: false,
    },
    labels: { type: "object", title: "Labels", additionalProperties: text, maxProperties: 5 },
    scores: { type: "object", additionalProperties: { type: "number" } },
  }),
  "values-or-none": object(
    {
      due: { type: ["string", "null"], format: "date" },
      assignee: { anyOf: [text, nothing] },
      estimate: { type: ["integer", "null"], minimum: 0 },
      done: { type: ["boolean", "null"] },
      kind: { enum: ["x", "y", null] },
    },
    "due",
    "assignee",
    "estimate",
  ),
  "defaults-and-fixed": object(
    {
      id: { ...text, readOnly: true, default: "ORD-17" },
      status: { ...text, enum: ["new", "paid", "shipped"], default: "paid" },
      notify: { type: "boolean", default: true },
      count: { type: "integer", default: 3 },
      secret: { ...text, writeOnly: true },
      old: { ...text, deprecated: true },
      version: { const: "v1" },
      list: { type: "array", items: text, default: ["a", "b"] },
    },
    "id",
    "status",
  ),
  "forty-fields": object(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index): [string, JsonObject] => {
        const kinds: JsonObject[] = [
          { type: "boolean", title: `Question ${index}` },
          { type: "integer", title: `Count ${index}` },
          { enum: ["yes", "no", "maybe"], title: `Choice ${index}` },
          { ...text, title: `Text ${index}` },
        ];
        return [`field_${index}`, kinds[index % kinds.length] ?? {}];
      }),
    ),
    "field_1",
    "field_35",
  ),
  recursive: {
    $ref: "#/$defs/folder",
    $defs: {
      folder: object(
        { name: text, children: { type: "array", items: { $ref: "#/$defs/folder" } } },
        "name",
      ),
    },
  },
  conditions: {
    ...object(
      {
        shipping: { enum: ["pickup", "delivery"] },
        rooms: {
          type: "array",
          prefixItems: [
            { ...text, title: "From" },
            { type: "integer", title: "To" },
          ],
          minItems: 2,
          maxItems: 2,
        },
      },
      "shipping",
    ),
    if: { properties: { shipping: { const: "delivery" } } },
    then: object({ address: text }, "address"),
    dependentSchemas: { rooms: { properties: { why: text } } },
  },
  list: { type: "array", title: "Cities", items: text, minItems: 2 },
  text: { ...text, title: "Your name", minLength: 2 },
  anything: {},
} satisfies Record<string, JsonObject>;
