import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createToolsJson } from "./tools-json";

/** A tool as a client converts it for each request, with a schema that counts how often it is made text of. */
const createSchema = () => ({ toJSON: vi.fn(() => ({ type: "object" })) });
const convert = (name: string, parameters: object = { type: "object" }) => ({
  ...{ type: "function", function: { name, description: 'Says "tools".', parameters } },
});

const send = ({ replaceTools, encode }: ReturnType<typeof createToolsJson>, body: object): string =>
  Buffer.concat(encode(JSON.stringify(replaceTools({ ...body })))).toString();

describe("the tools of a request", () => {
  it("are sent as they would be without a cache, the first time and later", () => {
    const json = createToolsJson();
    fc.assert(
      fc.property(fc.array(fc.string()), fc.json(), (names, text) => {
        const tools = names.map((name) => convert(name));
        const messages = [{ role: "user", content: `"tools":"${text}"` }];
        const body = { model: "m", messages, tools, tool_choice: "auto" };
        expect(send(json, body)).toBe(JSON.stringify(body));
        expect(send(json, body)).toBe(JSON.stringify(body));
      }),
    );
  });

  it("are made a text of once for each list", () => {
    const json = createToolsJson();
    const [schema, shared] = [createSchema(), createSchema()];
    const body = () => ({ tools: [convert("a", schema), convert("b", shared)] });
    const first = send(json, body());
    expect(send(json, body())).toBe(first);
    expect(schema.toJSON).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["another name", [convert("b")]],
    ["another schema", [convert("a", { type: "object", properties: {} })]],
    ["one more", [convert("a"), convert("b")]],
    ["a field more", [{ ...convert("a"), function: { ...convert("a").function, strict: true } }]],
    ["none", []],
  ])("are others with %s", (_what, tools) => {
    const json = createToolsJson();
    send(json, { tools: [convert("a")] });
    expect(send(json, { tools })).toBe(JSON.stringify({ tools }));
  });

  it("are those of their own request when several are made at once", () => {
    const { replaceTools, encode } = createToolsJson();
    const bodies = ["a", "b", "c"].map((name) => ({ tools: [convert(name)] }));
    const texts = bodies.map((body) => JSON.stringify(replaceTools(body)));
    const sent = texts.toReversed().map((text) => Buffer.concat(encode(text)).toString());
    expect(sent.toReversed()).toEqual(bodies.map((body) => JSON.stringify(body)));
  });

  it("may be missing", () => {
    expect(send(createToolsJson(), { model: "m" })).toBe('{"model":"m"}');
  });
});
