import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@/contract/json";
import { testDatabase } from "@/test/database";
import { createTurnFixture } from "@/test/turn-fixture";
import { findWireProblems } from "@/test/wire-messages";
import { createWireModel, WIRE_PROVIDERS, type WireProvider } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

beforeAll(() => testDatabase());

const STRICT: JsonObject = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const toFormat = (schema: JsonObject) => ({
  type: "json_schema" as const,
  name: "place",
  schema,
});

/** How each API enforces the schema beside tools; undefined if it does not. */
const ENFORCED: Record<WireProvider, object | undefined> = {
  openai: {
    text: { format: { type: "json_schema", name: "place", strict: true, schema: STRICT } },
  },
  anthropic: { output_config: { format: { type: "json_schema", schema: STRICT } } },
  // Gemini 2.5 takes a schema only without tools.
  google: undefined,
  "openai-compatible": undefined,
};
const FORMAT = /json_schema|responseJsonSchema|response_format/;

describe.each(WIRE_PROVIDERS)("%s", (provider) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  afterAll(() => recorder.close());
  afterEach(() => recorder.reset());

  const run = async (schema: JsonObject, model?: string) => {
    const turn = await createTurnFixture({ steps: [], responseFormat: toFormat(schema) });
    const wire = createWireModel(provider, recorder.url, model);
    await turn.run({ resolveModel: () => Promise.resolve(wire) });
    for (const body of recorder.bodies()) expect(findWireProblems(provider, body)).toEqual([]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    return turn;
  };

  it("enforces a schema where it can do so beside tools, and is told it in any case", async () => {
    recorder.mock.on({ predicate: () => true }, { content: '{"city":"Ulm"}' });
    const turn = await run(STRICT);
    const [body, ...others] = recorder.bodies();
    expect(others).toEqual([]);
    const text = JSON.stringify(body);
    expect(text).toContain("named place");
    expect(text).toMatch(/"tools":/);
    const enforced = ENFORCED[provider];
    if (enforced) expect(body).toMatchObject(enforced);
    else expect(text).not.toMatch(FORMAT);
    const [, answer] = await turn.history();
    expect(answer?.formatCheck).toEqual({ value: { city: "Ulm" } });
  });

  it("is told a schema alone that not all providers know", async () => {
    recorder.mock.on({ predicate: () => true }, { content: '{"city":"Ulm"}' });
    await run({ type: "object", properties: { city: { type: "string", minLength: 2 } } });
    expect(JSON.stringify(recorder.bodies()[0])).not.toMatch(FORMAT);
  });

  it("gets its answer with what is wrong, as a history that it takes", async () => {
    let calls = 0;
    recorder.mock.on({ predicate: () => ++calls === 1 }, { content: "It is Ulm." });
    recorder.mock.on({ predicate: () => true }, { content: '{"city":"Ulm"}' });
    const turn = await run({ type: "object", required: ["city"] });
    expect(recorder.bodies().length).toBeGreaterThan(1);
    expect(JSON.stringify(recorder.bodies().at(-1))).toMatch(/does not have the form/);
    expect((await turn.history()).at(-1)?.formatCheck).toEqual({ value: { city: "Ulm" } });
  });
});

it("Gemini 3 enforces a schema beside tools", async () => {
  const recorder = await startWireRecorder();
  try {
    recorder.mock.on({ predicate: () => true }, { content: '{"city":"Ulm"}' });
    const turn = await createTurnFixture({ steps: [], responseFormat: toFormat(STRICT) });
    const model = createWireModel("google", recorder.url, "gemini-3.5-flash");
    await turn.run({ resolveModel: () => Promise.resolve(model) });
    expect(recorder.bodies()[0]).toMatchObject({
      generationConfig: { responseMimeType: "application/json" },
    });
  } finally {
    await recorder.close();
  }
});
