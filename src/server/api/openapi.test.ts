import { beforeAll, describe, expect, it } from "vitest";
import { operations, streams } from "./operations/all-operations";
import { getOpenapiDocument } from "./openapi";
import { appRouter } from "./router";

type Described = {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object>; responses: Record<string, object> };
};

let document: Document;
beforeAll(() => {
  document = JSON.parse(getOpenapiDocument()) as Document;
});

describe("getOpenapiDocument", () => {
  it.each([...operations, ...streams].map((operation) => [operation.name, operation] as const))(
    "describes %s",
    (name, { method, path }) => {
      const described = document.paths[path]?.[method.toLowerCase()];
      expect(described?.operationId).toBe(name);
      const names = described?.parameters.filter((parameter) => parameter.in === "path");
      expect(names?.map((parameter) => `{${parameter.name}}`)).toEqual(
        path.match(/\{\w+\}/g) ?? [],
      );
      expect(Object.keys(described?.responses ?? {})).toEqual(
        expect.arrayContaining(["400", "401", "500"]),
      );
    },
  );

  it("has no dangling references", () => {
    const references = getOpenapiDocument().match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of new Set(references)) {
      const [, , part = "", name = ""] = reference.slice(8, -1).replaceAll('"', "").split("/");
      const components = document.components as Record<string, Record<string, object>>;
      expect(components[part], reference).toHaveProperty(name);
    }
  });

  it("describes the input and output forms of message content", () => {
    const { schemas } = document.components;
    expect(schemas.Content).toMatchObject({ type: "array" });
    const body = document.paths["/chats"]?.post?.requestBody;
    expect(body).toMatchObject({ required: true });
    const { properties } = body?.content["application/json"]?.schema as {
      properties: Record<string, { $ref: string }>;
    };
    expect(properties.content?.$ref).toBe("#/components/schemas/ContentInput");
    expect(JSON.stringify(schemas.ContentInput)).toContain('"type":"string"');
  });

  it("describes query parameters", () => {
    const parameters = document.paths["/chats"]?.get?.parameters ?? [];
    expect(parameters.find(({ name }) => name === "limit")).toMatchObject({
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 200 },
    });
  });

  it("describes the same operations as the tRPC router", () => {
    const procedures = Object.keys(appRouter._def.procedures).toSorted();
    const names = [...operations, ...streams].map(({ name }) => name).toSorted();
    expect(procedures).toEqual(names);
  });
});
