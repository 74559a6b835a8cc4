import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createToolsJson } from "./tools-json";

const ANSWER =
  'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Creates the real client, whose requests are kept instead of sent. */
const createClient = (json?: ReturnType<typeof createToolsJson>) => {
  const sent: string[] = [];
  const client = createOpenAICompatible({
    name: "test",
    baseURL: "http://127.0.0.1",
    includeUsage: true,
    ...(json && { transformRequestBody: json.replaceTools }),
    fetch: (_url, init) => {
      const body = init?.body as string;
      sent.push(json ? Buffer.concat(json.encode(body)).toString() : body);
      const headers = { "content-type": "text/event-stream" };
      return Promise.resolve(new Response(ANSWER, { headers }));
    },
  })("m");
  return { client: json ? json.toClient(client) : client, sent };
};

const tool = (name: string, inputSchema: object = { type: "object" }) =>
  ({
    type: "function",
    name,
    description: 'Says "tools".',
    inputSchema,
  }) satisfies LanguageModelV4FunctionTool;

const request = (
  tools: LanguageModelV4FunctionTool[] | undefined,
  text = "hello",
): LanguageModelV4CallOptions => ({
  prompt: [{ role: "user", content: [{ type: "text", text }] }],
  ...(tools && { tools, toolChoice: { type: "auto" } }),
});

describe("the tools of a request", () => {
  it("are sent as the client sends them, the first time and later", async () => {
    const plain = createClient();
    const cached = createClient(createToolsJson());
    const property = fc.asyncProperty(fc.array(fc.string()), fc.json(), async (names, text) => {
      const options = request(
        names.map((name) => tool(name)),
        `"tools":"${text}"`,
      );
      await plain.client.doStream(options);
      for (let time = 0; time < 2; time++) {
        await cached.client.doStream(options);
        expect(cached.sent.at(-1)).toBe(plain.sent.at(-1));
      }
    });
    await fc.assert(property);
  });

  it("are made a text of once for each list", async () => {
    const { client, sent } = createClient(createToolsJson());
    const toJSON = vi.fn(() => ({ type: "object" }));
    const tools = [tool("a", { toJSON }), tool("b")];
    for (let time = 0; time < 3; time++) await client.doStream(request(tools));
    expect(new Set(sent).size).toBe(1);
    expect(toJSON).toHaveBeenCalledTimes(1);
  });

  it("are those of their own request when several are made at once", async () => {
    const { client, sent } = createClient(createToolsJson());
    const lists = ["a", "b", "c"].map((name) => [tool(name)]);
    await Promise.all([...lists, ...lists].map((tools) => client.doStream(request(tools))));
    const names = sent.map((body) => /"name":"(.)"/.exec(body)?.[1]);
    expect(names.toSorted()).toEqual(["a", "a", "b", "b", "c", "c"]);
  });

  it("may be missing", async () => {
    const [plain, cached] = [createClient(), createClient(createToolsJson())];
    for (const { client } of [plain, cached]) await client.doStream(request(undefined));
    expect(cached.sent).toEqual(plain.sent);
  });
});
