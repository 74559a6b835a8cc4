import { describe, expect, it } from "vitest";
import type { OpenapiDocument, Operation } from "./openapi-document";
import { readReference } from "./read-reference";

const PROBLEM = { $ref: "#/components/responses/Problem" };

const createBerth: Operation = {
  operationId: "berths.create",
  summary: "Reserve a berth",
  description: "Needs a key.",
  tags: ["berthPlans"],
  "x-required-scope": "chat",
  parameters: [
    {
      name: "port_id",
      in: "path",
      required: true,
      description: "The port",
      schema: { type: "string", examples: ["oban"] },
    },
  ],
  requestBody: {
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            boat: { $ref: "#/components/schemas/Boat", examples: [{ length: 11 }] },
            nights: { type: "integer", minimum: 1, maximum: 30, default: 1, examples: [2] },
          },
          required: ["boat"],
        },
        examples: {
          minimal: { value: { boat: { length: 11 } } },
          full: { value: { boat: { length: 11 }, nights: 2 } },
        },
      },
    },
  },
  responses: {
    201: {
      description: "Reserved",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Boat" } } },
    },
    400: PROBLEM,
    404: PROBLEM,
  },
};

const createDocument = (...operations: Operation[]): OpenapiDocument => ({
  servers: [{ url: "/api/v1" }],
  tags: [
    { name: "berthPlans", description: "Berths." },
    { name: "mcpServers", description: "Servers." },
    { name: "unused", description: "Nothing." },
  ],
  paths: Object.fromEntries(
    operations.map((operation, index) => [
      `/ports/{port_id}/berths${"x".repeat(index)}`,
      { post: operation },
    ]),
  ),
  components: {
    schemas: {
      Boat: {
        type: "object",
        properties: { length: { type: "number" } },
        required: ["length"],
        examples: [{ length: 11 }],
      },
    },
  },
});

const readOperation = (operation: Operation) => {
  const found = readReference(createDocument(operation)).groups[0]?.operations[0];
  if (!found) throw new Error("the operation is missing");
  return found;
};

describe("readReference", () => {
  it("groups operations by tag, with words for titles, and leaves out empty groups", () => {
    const { basePath, groups } = readReference(createDocument(createBerth));
    expect(basePath).toBe("/api/v1");
    expect(groups.map(({ name, title }) => [name, title])).toEqual([
      ["berth-plans", "Berth plans"],
    ]);
  });

  it("writes abbreviations in titles with capital letters", () => {
    const operation = { ...createBerth, tags: ["mcpServers"] };
    expect(readReference(createDocument(operation)).groups).toMatchObject([
      { name: "mcp-servers", title: "MCP servers" },
    ]);
  });

  it("reads parameters, the body, and responses apart from refusals", () => {
    const operation = readOperation(createBerth);
    expect(operation.parameters).toMatchObject([
      {
        name: "port_id",
        place: "path",
        description: "The port.",
        isRequired: true,
        type: [{ text: "string" }],
      },
    ]);
    expect(operation.bodies).toMatchObject([
      {
        mediaType: "application/json",
        variants: [
          {
            fields: [
              { name: "boat", isRequired: true, type: [{ text: "Boat", schema: "Boat" }] },
              { name: "nights", isRequired: false, limits: ["1 to 30", "default 1"] },
            ],
          },
        ],
      },
    ]);
    expect(operation.responses).toMatchObject([{ status: "201", description: "Reserved" }]);
    expect(operation.errorStatuses).toEqual(["400", "404"]);
  });

  it("requests with the least that is needed", () => {
    expect(readOperation(createBerth).request).toEqual({
      method: "POST",
      path: "/ports/{port_id}/berths",
      pathValues: [["port_id", "oban"]],
      needsKey: true,
      isStream: false,
      payload: { kind: "json", text: JSON.stringify({ boat: { length: 11 } }, null, 2) },
    });
  });

  it("shows no command for what only a browser may request", () => {
    const operation = { ...createBerth, "x-required-scope": "session" };
    expect(readOperation(operation).request).toBeUndefined();
  });

  it("has every named schema with its example", () => {
    expect(readReference(createDocument(createBerth)).schemas).toMatchObject([
      { name: "Boat", example: JSON.stringify({ length: 11 }, null, 2) },
    ]);
  });
});
