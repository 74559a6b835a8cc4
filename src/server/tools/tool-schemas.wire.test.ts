import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import { callModel } from "@/server/model/call-model";
import type { ChatModel, StepOutcome } from "@/server/model/model-step";
import { startStubServer } from "@/test/stub-server";
import { builtinTools, toolScope } from "@/test/tool-fixture";
import { createWireModel, WIRE_PROVIDERS } from "@/test/wire-model";
import { findToolProblems, readWireTools } from "@/test/wire-tools";
import type { Tool } from "./tool";
import { createToolSources } from "./tool-source";
import { createToolbox } from "./toolbox";

const keyword = fc.constantFrom(
  ..."type properties required items anyOf allOf oneOf not enum pattern title examples".split(" "),
  ..."prefixItems additionalItems additionalProperties uniqueItems readOnly nullable".split(" "),
  ..."dependentRequired dependencies contentSchema exclusiveMinimum $defs $ref const".split(" "),
);
const name = fc.constantFrom(
  ..."a b $filter user[name] größe 城市 __proto__ x/y constructor".split(" "),
  "first name",
  "",
  "x".repeat(65),
  "x".repeat(64),
);
const ref = fc.constantFrom("#", "#/$defs/a", "#/properties/a", "#/definitions/b", "elsewhere");
const types = fc.constantFrom("array", "object", "string", "any", "null", "Array", "file");
const { schema, map } = fc.letrec<{ schema: JsonValue; map: JsonValue }>((tie) => ({
  map: fc.dictionary(name, tie("schema"), { maxKeys: 4 }),
  schema: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<JsonValue>(null, true, false, 1, "", [], {}, "string"),
    types.map((type) => ({ type })),
    fc.array(types, { maxLength: 3 }).map((type) => ({ type })),
    ref.map(($ref) => ({ $ref })),
    fc.record({ type: types, properties: tie("map"), required: fc.array(name, { maxLength: 4 }) }),
    fc.record({
      type: types,
      items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 3 })),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { maxLength: 3 }), properties: tie("map") }),
    fc.dictionary(keyword, fc.oneof(tie("schema"), tie("map"), fc.array(tie("schema"))), {
      maxKeys: 5,
    }),
  ),
}));
const anySchema = fc.oneof(
  schema,
  fc.record({ type: fc.constant("object"), properties: map, $defs: map, required: fc.array(name) }),
);

const callWith = async (
  model: ChatModel,
  dynamicTools: DynamicTool[],
  builtin: readonly Tool[] = [],
): Promise<StepOutcome> => {
  const { definitions } = await createToolbox(
    createToolSources(builtin),
    toolScope({ dynamicTools }),
  );
  return callModel(
    model,
    { prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: definitions },
    {
      sink: { start: () => undefined, append: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );
};

describe.each(WIRE_PROVIDERS)("the tools of a request to %s", (provider) => {
  let server: Awaited<ReturnType<typeof startStubServer>>;
  beforeAll(async () => {
    server = await startStubServer((response) => response.writeHead(400).end());
  });
  afterAll(() => server.close());

  const sendTools = async (dynamicTools: DynamicTool[]): Promise<unknown> => {
    server.requests.length = 0;
    await callWith(createWireModel(provider, server.url), dynamicTools, builtinTools);
    expect(server.requests).toHaveLength(1);
    return server.requests[0]?.body;
  };

  it("are taken, whatever the schemas of dynamic ones are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySchema, { minLength: 20, maxLength: 20 }), async (schemas) => {
        const tools = schemas.map((input_schema, index) => ({ name: `t${index}`, input_schema }));
        const body = await sendTools(tools);
        expect(findToolProblems(provider, body)).toEqual([]);
        const names = readWireTools(provider, body).map((tool) => tool.name);
        expect(names).toEqual(expect.arrayContaining(tools.map((tool) => tool.name)));
      }),
      { numRuns: 25 },
    );
  });

  /** A refusal in the words of the provider, which names the tool at a place of the list. */
  const REFUSALS: Record<typeof provider, (name: string, place: number) => string> = {
    openai: (name) => `Invalid schema for function '${name}': array schema missing items.`,
    anthropic: (_name, place) => `tools.${place}.custom.input_schema: JSON schema is invalid.`,
    google: (_name, place) =>
      `* GenerateContentRequest.tools[0].function_declarations[${place}].parameters: unknown field`,
    "openai-compatible": (name) => `Failed to compile the grammar of tool "${name}"`,
  };

  it("are sent without those that the server refuses by name, which fail no turn", async () => {
    const bad = new Set(["t1", "t3"]);
    const refuse: Parameters<typeof startStubServer>[0] = (response, { body }) => {
      const names = readWireTools(provider, body).map((tool) => tool.name);
      const place = names.findIndex((each) => bad.has(each));
      const found = names[place];
      const message = found === undefined ? "no" : REFUSALS[provider](found, place);
      response
        .writeHead(found === undefined ? 401 : 400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message } }));
    };
    const strict = await startStubServer(refuse);
    onTestFinished(strict.close);
    const model = createWireModel(provider, strict.url);
    const tools = ["t0", "t1", "t2", "t3"].map((each) => ({ name: each }));
    expect(await callWith(model, tools)).toMatchObject({ failure: { kind: "auth" } });
    expect(await callWith(model, tools)).toMatchObject({ failure: { kind: "auth" } });
    const sent = strict.requests.map(({ body }) =>
      readWireTools(provider, body)
        .map((tool) => tool.name)
        .join(" "),
    );
    // The second call knows both already.
    expect(sent).toEqual(["t0 t1 t2 t3", "t0 t2 t3", "t0 t2", "t0 t2"]);
    const changed = { name: "t1", input_schema: { properties: { a: {} } } };
    await callWith(model, [changed]);
    expect(strict.requests).toHaveLength(6);
  });
});
