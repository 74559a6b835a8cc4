import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DiscoveredModels, Model } from "@/contract/model";
import type { Database } from "@/server/db/connection/database";
import { seedModels } from "@/server/db/settings/model-writes";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { startStubServer } from "@/test/stub-server";
import { builtinTools } from "@/test/tool-fixture";
import { NO_PROVIDERS } from "@/test/wire-model";

const KEY = "sk-key-that-no-response-may-have-0123456789";

let db: Database;
let owner: TestClient;

beforeAll(async () => {
  db = await testDatabase();
  owner = await createClient(db, createTestApi(db), { role: "owner" });
  await db.prisma.model.deleteMany();
});
afterEach(() => db.prisma.model.deleteMany());

const discover = async (fields: object, client = owner): Promise<DiscoveredModels> => {
  const { status, body } = await client.call("POST /models/discover", fields);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ ok: expect.any(Boolean) as boolean }),
  ]);
  return body as DiscoveredModels;
};

/** A server that answers each request so. */
const startServer = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const stub = await startStubServer((response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  });
  onTestFinished(stub.close);
  return stub;
};

const COMPATIBLE = "openai-compatible";

describe("the models of a server", () => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());

  it("are listed, and one of them can be added", async () => {
    mock.on({ model: "llama3.2" }, { content: "OK" });
    const base_url = `${mock.url}/v1/`;
    const found = await discover({ provider: COMPATIBLE, base_url });
    expect(found).toEqual({
      ok: true,
      message: "The OpenAI-compatible server has 1 model.",
      data: [{ model: "llama3.2", name: "llama3.2", context_limit: null, tool_protocol: "native" }],
    });
    const [model] = found.data;
    const added = await owner.call("POST /models", {
      provider: COMPATIBLE,
      model: model?.model,
      base_url,
    });
    expect(added.status).toBe(201);
  });

  it("have what the server says of them, as it may run them with less than they can read", async () => {
    const { url } = await startServer(200, {
      data: [
        { id: "qwen3", object: "model", max_model_len: 32_768 },
        { id: "z-ai/glm", name: "GLM", context_length: 131_072 },
        { id: "a", max_model_len: "many" },
      ],
    });
    const { data } = await discover({ provider: COMPATIBLE, base_url: url });
    expect(data.map(({ model, context_limit }) => [model, context_limit])).toEqual([
      ["a", null],
      ["qwen3", 32_768],
      ["z-ai/glm", 131_072],
    ]);
  });

  it("have what the table knows, which comes first in its order, with its source", async () => {
    const stub = await startServer(200, {
      data: ["babbage", "gpt-4o", "gpt-5-mini-2025-08-07", "gpt-5-mini"].map((id) => ({ id })),
    });
    const { data } = await discover({ provider: "openai", base_url: stub.url, api_key: KEY });
    expect(data.map(({ model }) => model)).toEqual([
      "gpt-5-mini",
      "gpt-5-mini-2025-08-07",
      "gpt-4o",
      "babbage",
    ]);
    expect(data[0]).toEqual({
      model: "gpt-5-mini",
      name: "GPT-5 mini",
      context_limit: 400_000,
      max_output_tokens: 128_000,
      abilities: ["tools", "images", "pdfs", "reasoning"],
      tool_protocol: "native",
      prices: { input: 250_000, output: 2_000_000, cache_read: 25_000 },
      source: {
        url: "https://developers.openai.com/api/docs/models/gpt-5-mini",
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      },
    });
    expect(data[3]).not.toHaveProperty("source");
    expect(stub.requests).toMatchObject([
      { path: "/models", headers: { authorization: `Bearer ${KEY}` } },
    ]);
  });

  it("are read in the format of Anthropic", async () => {
    const stub = await startServer(200, {
      data: [{ type: "model", id: "claude-next-1", display_name: "Claude Next 1" }],
      has_more: false,
    });
    const { data } = await discover({ provider: "anthropic", base_url: stub.url, api_key: KEY });
    expect(data).toMatchObject([{ model: "claude-next-1", name: "Claude Next 1" }]);
    expect(stub.requests).toMatchObject([
      {
        path: "/models?limit=1000",
        headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01" },
      },
    ]);
  });

  it("are read in the format of Google, those that answer", async () => {
    const stub = await startServer(200, {
      models: [
        {
          name: "models/gemini-next",
          displayName: "Gemini Next",
          inputTokenLimit: 1_000,
          outputTokenLimit: 100,
          supportedGenerationMethods: ["generateContent", "countTokens"],
        },
        { name: "models/embedding-1", supportedGenerationMethods: ["embedContent"] },
      ],
    });
    const { data } = await discover({ provider: "google", base_url: stub.url, api_key: KEY });
    expect(data).toEqual([
      {
        model: "gemini-next",
        name: "Gemini Next",
        context_limit: 1_000,
        max_output_tokens: 100,
        tool_protocol: "native",
      },
    ]);
    expect(stub.requests).toMatchObject([
      { path: "/models?pageSize=1000", headers: { "x-goog-api-key": KEY } },
    ]);
  });

  it("leave out what is no model, and what is there twice", async () => {
    const { url } = await startServer(200, [
      { id: "one" },
      { id: "one" },
      { id: " " },
      { id: "x".repeat(201) },
      { id: 5 },
      "text",
      null,
    ]);
    expect(await discover({ provider: COMPATIBLE, base_url: url })).toMatchObject({
      ok: true,
      data: [{ model: "one" }],
    });
  });

  it("may be none", async () => {
    const { url } = await startServer(200, { object: "list", data: null, models: [] });
    expect(await discover({ provider: COMPATIBLE, base_url: url })).toEqual({
      ok: true,
      message: "The OpenAI-compatible server has no models yet.",
      data: [],
    });
  });
});

describe("a server without a list", () => {
  const fail = async (base_url: string, provider = COMPATIBLE) => {
    const found = await discover({ provider, base_url, api_key: KEY });
    expect(found).toMatchObject({ ok: false, data: [] });
    expect(JSON.stringify(found)).not.toContain(KEY);
    return found;
  };

  it.each([404, 405])("has the status %d: the name is typed", async (status) => {
    const { url } = await startServer(status, { error: "404 page not found" });
    expect((await fail(url)).message).toMatch(
      /^This server has no list of models: type the name\./,
    );
  });

  it("is not reachable", async () => {
    const { url, close } = await startStubServer(() => undefined);
    await close();
    const { message, detail } = await fail(url);
    expect(message).toBe("The OpenAI-compatible server is not reachable.");
    expect(detail).toContain("ECONNREFUSED");
  });

  it("refuses the key, which is not shown", async () => {
    const { url } = await startServer(401, { error: { message: `Incorrect API key: ${KEY}` } });
    const { message, detail } = await fail(url, "openai");
    expect(message).toBe(
      "OpenAI is refusing the API key. Enter it again here, or check OPENAI_API_KEY.",
    );
    expect(detail).toMatch(/^Incorrect API key/);
  });

  it.each([
    ["<!doctype html><title>Router</title>", "a web page (Router) instead of a list of models"],
    ["hello", "text instead of a list of models"],
    ['{"status":"ok"}', "other JSON instead of a list of models"],
    [`{"data":"${"x".repeat(5 * 1024 * 1024)}"}`, "more than 4 MB"],
  ])("answers with something else: %.20s", async (body, what) => {
    const { url } = await startServer(200, body);
    expect((await fail(url)).message).toBe(
      `The OpenAI-compatible server answered with ${what}. Check the address: does it lack /v1?`,
    );
  });

  it("redirects: the key is sent to no other server", async () => {
    const other = await startServer(200, { data: [{ id: "stolen" }] });
    for (const provider of [COMPATIBLE, "anthropic", "google"]) {
      const { url } = await startServer(307, "", { location: `${other.url}/models` });
      expect((await fail(url, provider)).message).toContain("answered with a redirect.");
    }
    expect(other.requests).toEqual([]);
  });

  it("is the demo model", async () => {
    expect(await discover({ provider: "demo" })).toMatchObject({
      ok: false,
      message: "This server has no list of models: type the name.",
    });
  });
});

describe("the access of a list", () => {
  const add = async (fields: object): Promise<Model> => {
    const { body } = await owner.call("POST /models", {
      provider: COMPATIBLE,
      model: "m",
      ...fields,
    });
    return body as Model;
  };

  it("is that of a stored model, whose key goes to its own address alone", async () => {
    const stub = await startServer(200, { data: [{ id: "m" }] });
    const { id: model_id } = await add({ base_url: stub.url, api_key: KEY });
    expect(await discover({ provider: COMPATIBLE, model_id })).toMatchObject({ ok: true });
    expect(stub.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);

    const other = await startServer(200, { data: [{ id: "m" }] });
    const moved = { provider: COMPATIBLE, model_id, base_url: other.url };
    const refused = await owner.fail("POST /models/discover", moved);
    expect(refused.problem).toMatchObject({ status: 400, errors: [{ pointer: "/api_key" }] });
    expect(other.requests).toEqual([]);
    expect(await discover({ ...moved, api_key: "another-key" })).toMatchObject({ ok: true });
    expect(other.requests[0]?.headers.authorization).toBe("Bearer another-key");
    // Nothing is stored.
    expect(await discover({ provider: COMPATIBLE, model_id })).toMatchObject({ ok: true });
    expect(stub.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("is that of the environment if nothing is entered, whose key goes to no other address", async () => {
    const stub = await startServer(200, { data: [{ id: "m" }] });
    const access = { apiKey: "key-of-the-environment", baseUrl: stub.url };
    const api = createTestApi(db, createToolSources(builtinTools), {
      providers: { ...NO_PROVIDERS, openai: access },
    });
    const client = await createClient(db, api, { role: "owner" });
    expect(await discover({ provider: "openai" }, client)).toMatchObject({ ok: true });
    expect(stub.requests[0]?.headers.authorization).toBe("Bearer key-of-the-environment");

    const other = await startServer(200, { data: [] });
    const found = await discover({ provider: "openai", base_url: other.url }, client);
    expect(found.message).toBe(
      "OpenAI is not set up: enter a key here, or set OPENAI_API_KEY and restart.",
    );
    expect(other.requests).toEqual([]);

    await seedModels(db, [{ provider: "openai", model: "named" }]);
    const { body } = await client.call("GET /models?all=true");
    const model_id = (body as { data: Model[] }).data[0]?.id;
    const change = { provider: "openai", model_id, base_url: other.url };
    expect((await client.fail("POST /models/discover", change)).status).toBe(409);
  });

  it.each([
    [{ provider: COMPATIBLE }, "/base_url"],
    [{ provider: COMPATIBLE, base_url: "localhost:11434" }, "/base_url"],
    [{ provider: "openai", api_key: "two words" }, "/api_key"],
    [{ provider: "other" }, "/provider"],
  ])("is refused as %j", async (fields, pointer) => {
    const { problem } = await owner.fail("POST /models/discover", fields);
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer }] });
  });

  it("is of the provider of the stored model, which exists", async () => {
    const { id: model_id } = await add({ base_url: "http://127.0.0.1:9/v1" });
    const other = { provider: "openai", model_id };
    expect((await owner.fail("POST /models/discover", other)).problem).toMatchObject({
      errors: [{ pointer: "/provider" }],
    });
    await owner.call(`DELETE /models/${model_id}`);
    expect((await owner.fail("POST /models/discover", other)).status).toBe(404);
  });
});
