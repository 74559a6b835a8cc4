import { beforeAll, describe, expect, it } from "vitest";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { downloads, operations, streams, uploads } from "./operations/all-operations";
import { getOpenapiDocument } from "./openapi";
import { appRouter } from "./router";

type Described = {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: object; $ref?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  security?: object[];
  responses: Record<
    string,
    { description?: string; headers?: object; content?: Record<string, { schema: object }> }
  >;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object>; responses: Record<string, object> };
};

let document: Document;
beforeAll(() => {
  document = JSON.parse(getOpenapiDocument()) as Document;
});

type Node = { additionalProperties?: unknown };

/** All objects of a part of the document, and of what it refers to. */
const listReached = (start: unknown): Node[] => {
  const reached = new Set<Node>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || reached.has(node)) return;
    reached.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith("example")) continue;
      const [, , part = "", name = ""] = key === "$ref" ? String(value).split("/") : [];
      const components = document.components as Record<string, Record<string, object>>;
      visit(key === "$ref" ? components[part]?.[name] : value);
    }
  };
  visit(start);
  return [...reached];
};

describe("getOpenapiDocument", () => {
  const all = [...operations, ...uploads, ...downloads, ...streams];
  it.each(all.map((operation) => [operation.name, operation] as const))(
    "describes %s",
    (name, { method, path }) => {
      const described = document.paths[path]?.[method.toLowerCase()];
      expect(described?.operationId).toBe(name);
      const names = described?.parameters.filter((parameter) => parameter.in === "path");
      expect(names?.map((parameter) => `{${parameter.name}}`)).toEqual(
        path.match(/\{\w+\}/g) ?? [],
      );
      expect(Object.keys(described?.responses ?? {})).toEqual(
        expect.arrayContaining(["400", "401", "405", "421", "500", "503"]),
      );
    },
  );

  it("names the scope, the headers and the streams of an operation", () => {
    const { security, responses } = document.paths["/chats"]?.post ?? {};
    expect(security).toEqual([{ apiKey: ["chat"] }, { session: [] }]);
    expect(document.paths["/files"]?.post?.security).toEqual([
      { apiKey: ["chat"] },
      { apiKey: ["calls:answer"] },
      { session: [] },
    ]);
    expect(Object.keys(responses?.["201"]?.headers ?? {})).toEqual([
      "X-Request-Id",
      "Location",
      "Preference-Applied",
      "Idempotency-Replayed",
    ]);
    for (const [path, status] of [
      ["/chats", "201"],
      ["/chats", "200"],
      ["/chats/{chat_id}/messages", "200"],
      ["/chats/{chat_id}/regenerate", "202"],
      ["/chats/{chat_id}/continue", "202"],
    ] as const) {
      const { content = {}, description } = document.paths[path]?.post?.responses[status] ?? {};
      expect(Object.keys(content), path).toEqual(["application/json", "text/event-stream"]);
      expect(description).toContain("`preview-reset`, `preview`, `caught-up`, `goodbye`");
    }
  });

  it("lets answers have more fields, and requests none that are unknown", () => {
    const answers = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.values(responses)),
    );
    for (const schema of listReached(answers)) {
      expect(schema.additionalProperties, JSON.stringify(schema)).not.toBe(false);
    }
    const body = document.paths["/chats"]?.post?.requestBody?.content["application/json"];
    expect(body?.schema).toMatchObject({ additionalProperties: false });
  });

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
    expect(schemas.UserContent).toMatchObject({ type: "array" });
    const body = document.paths["/chats"]?.post?.requestBody;
    // Either the content or the messages are.
    expect(body).toMatchObject({ required: false });
    const { properties } = body?.content["application/json"]?.schema as {
      properties: Record<string, { $ref: string }>;
    };
    expect(properties.content?.$ref).toBe("#/components/schemas/Content");
    expect(JSON.stringify(schemas.Content)).toContain('"type":"string"');
  });

  it("describes what calls of exec have", () => {
    const { schemas } = document.components;
    expect(schemas.ExecRequest).toMatchObject({ type: "object", required: ["action"] });
    expect(schemas.ExecResult).toMatchObject({
      required: ["status", "output", "duration_ms"],
      properties: {
        status: { enum: ["running", "exited", "killed", "timed_out", "unknown"] },
        artifact: { $ref: "#/components/schemas/Artifact" },
      },
    });
  });

  it("describes the ways to send a file", () => {
    const { parameters = [], requestBody } = document.paths["/files"]?.post ?? {};
    const places = parameters.map(({ name, in: place, required, $ref }) =>
      $ref === undefined ? [name, place, required] : $ref.split("/").at(-1),
    );
    expect(places).toEqual(
      expect.arrayContaining([
        ["chat_id", "query", false],
        ["name", "query", false],
        "ContentDisposition",
      ]),
    );
    expect(requestBody).toMatchObject({
      required: true,
      description: expect.stringContaining(
        `at most ${MAX_ARTIFACT_BYTES + 65_536} bytes`,
      ) as string,
    });
    expect(Object.keys(requestBody?.content ?? {})).toEqual(["*/*", "multipart/form-data"]);
    expect(requestBody?.content["multipart/form-data"]?.schema).toMatchObject({
      properties: {
        file: { format: "binary" },
        chat_id: { type: "string" },
        name: { type: "string", maxLength: 1_000 },
      },
      required: ["file"],
      additionalProperties: false,
    });
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
