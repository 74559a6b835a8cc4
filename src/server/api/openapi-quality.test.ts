import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Validator } from "@cfworker/json-schema";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { getOpenapiDocument } from "./openapi";
import { FIELD_TEXTS, findFieldText } from "./openapi-texts";

type Schema = {
  $ref?: string;
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Media = {
  schema: Schema & { format?: string };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};
type Body = { content?: Record<string, Media> };
type Parameter = { name: string; description?: string; schema: Schema };
type Described = {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Body;
  responses: Record<string, Body>;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

const text = getOpenapiDocument();
const document = JSON.parse(text) as Document;
const { components } = document;
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const resolve = (parameter: Parameter | { $ref: string }): Parameter => {
  const found =
    "$ref" in parameter ? components.parameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter;
  if (!found) throw new Error(`there is no parameter ${JSON.stringify(parameter)}`);
  return found;
};

/** All fields of a schema, in depth, with their place. */
const listFields = (schema: Schema, place: string): [string, Schema][] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, Schema][] => [
    [`${place}.${name}`, field],
    ...listFields(field, `${place}.${name}`),
  ]),
  ...[
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ].flatMap((branch) => listFields(branch, place)),
];

const listMedia = ({ requestBody, responses, operationId }: Described): [string, Media][] =>
  [...(requestBody ? [requestBody] : []), ...Object.values(responses)].flatMap(({ content = {} }) =>
    Object.entries(content).map(([type, media]): [string, Media] => [
      `${operationId} ${type}`,
      media,
    ]),
  );

const validate = (schema: Schema, value: unknown) =>
  new Validator({ ...schema, components }, "2020-12").validate(value);

const media = described.flatMap(listMedia);
const fields = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => listFields(schema, name)),
  ...media.flatMap(([place, { schema }]) => listFields(schema, place)),
];

describe("the OpenAPI document", () => {
  it("describes every field, with an example that the field allows", () => {
    expect(fields.length).toBeGreaterThan(300);
    const undescribed = fields.filter(([, { description }]) => description === undefined);
    expect(undescribed.map(([place]) => place)).toEqual([]);
    for (const [place, field] of fields) {
      expect(field.description, place).toMatch(/\w/);
      if (field.$ref) continue;
      expect(field.examples, place).toHaveLength(1);
      expect(validate(field, field.examples?.[0]).errors, place).toEqual([]);
    }
  });

  it("has no text of a field that is not there", () => {
    const places = new Set([
      ...fields.map(([place]) => place.replace(/^(\w+?)Input\./, "$1.").replace(/ \S+?(?=\.)/, "")),
      ...described.flatMap(({ operationId, parameters = [] }) =>
        parameters.map(resolve).map(({ name }) => `${operationId}.${name}`),
      ),
    ]);
    const describedPlaces = Object.entries(FIELD_TEXTS).flatMap(([owner, texts]) =>
      Object.keys(texts ?? {}).map((path) => `${owner}.${path}`),
    );
    expect(describedPlaces.length).toBeGreaterThan(300);
    expect(describedPlaces.filter((place) => !places.has(place))).toEqual([]);
  });

  it("finds a text by the schema and the path, and none by the name of a field alone", () => {
    expect(findFieldText("Task", "label")?.[0]).toBe("What the task is about.");
    expect(findFieldText("chats.list", "label")?.[0]).toMatch(/^Only chats/);
    expect(findFieldText("TextPart", "label")).toBeUndefined();
    expect(findFieldText("Task", "output")).toBeUndefined();
  });

  it("has an example of every named schema", () => {
    for (const [name, schema] of Object.entries(components.schemas)) {
      expect(schema.examples, name).toHaveLength(1);
      expect(validate(schema, schema.examples?.[0]).errors, name).toEqual([]);
    }
  });

  it("describes every operation and parameter, with an example of every body", () => {
    for (const { operationId, summary, description, parameters = [] } of described) {
      expect(summary, operationId).toMatch(/\w/);
      expect(description, operationId).toMatch(/\w/);
      for (const parameter of parameters.map(resolve)) {
        const place = `${operationId} ${parameter.name}`;
        expect(parameter.description, place).toMatch(/\w/);
        expect(validate(parameter.schema, parameter.schema.examples?.[0]).errors, place).toEqual(
          [],
        );
      }
    }
    for (const [place, { schema, example, examples }] of media) {
      if (schema.format === "binary") continue;
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      for (const value of values) expect(validate(schema, value).errors, place).toEqual([]);
    }
  });

  it("names the events of streams", () => {
    for (const [name, event] of [
      ["chats.watch", "StreamEvent"],
      ["chats.watchAll", "WatchEvent"],
    ] as const) {
      const stream = described.find(({ operationId }) => operationId === name);
      const schema = stream?.responses["200"]?.content?.["text/event-stream"]?.schema;
      expect(schema?.$ref).toBe(`#/components/schemas/${event}`);
      const branches = components.schemas[event]?.oneOf ?? [];
      expect(branches.length).toBeGreaterThan(3);
      for (const branch of branches) expect(branch.$ref).toMatch(/Event$/);
    }
  });

  it("has the body of each request that has one", () => {
    expect(document.paths["/config/advisor"]?.put?.requestBody?.content).toMatchObject({
      "application/json": { schema: { $ref: "#/components/schemas/AdvisorConfigInput" } },
    });
  });

  it("has no errors and no warnings by Spectral's rules", async () => {
    const spectral = new Spectral();
    // The type of its rules does not fit the type of rulesets in the same release.
    spectral.setRuleset({
      extends: [oas as unknown as RulesetDefinition],
      // It knows scopes of OAuth only; since OpenAPI 3.1 other schemes have some, too. Scopes have a test of their own.
      rules: { "oas3-operation-security-defined": "off" },
    });
    expect(await spectral.run(text)).toEqual([]);
  });

  it("has no errors and no warnings by Redocly's rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
  });
});

/** A program that declares a tool, answers its call and reads the answer, with a generated client. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: "http://127.0.0.1:3000/api/v1" });

export const deploy = async (run: (args: unknown) => Promise<string>): Promise<string> => {
  const { data: created, error } = await client.POST("/chats", {
    body: { content: "Deploy v12", dynamic_tools: [{ name: "deploy", input_schema: { type: "object" } }] },
  });
  if (error) throw new Error(\`\${error.code}: \${error.detail}\`);
  const chat = "chat" in created ? created.chat : created;
  const params = { path: { chat_id: chat.id } };
  const parked = await client.GET("/chats/{chat_id}", { params });
  const calls = parked.data?.required_action?.tool_calls ?? [];
  const results = await Promise.all(
    calls.map(async ({ tool_call_id, args }) => ({ tool_call_id, output: await run(args) })),
  );
  const answered = await client.POST("/chats/{chat_id}/tool-results", { params, body: { results } });
  if (answered.error) throw new Error(answered.error.detail);
  const history = await client.GET("/chats/{chat_id}/messages", { params });
  const parts = history.data?.data.at(-1)?.parts ?? [];
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
};

export const describe = (event: components["schemas"]["StreamEvent"]): string | number => {
  if (event.type === "chat") return event.chat.status;
  if (event.type === "message") return event.message.revision;
  return event.type === "preview" ? event.ops.length : event.type;
};
`;

const compile = async (program: string): Promise<string[]> => {
  // Below the project, so that its packages are found.
  const directory = await mkdtemp(path.join(process.cwd(), "node_modules/.cache-api-types-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(path.join(directory, "api.ts"), astToString(await openapiTS(text)));
  const file = path.join(directory, "program.ts");
  await writeFile(file, program);
  const compiled = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
  });
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
};

describe("a client made by openapi-typescript", () => {
  it("compiles a round trip of a tool without a cast", async () => {
    expect(await compile(PROGRAM)).toEqual([]);
    const wrong = PROGRAM.replace("output: await run(args)", "result: await run(args)");
    expect(await compile(wrong)).not.toEqual([]);
  });
});
