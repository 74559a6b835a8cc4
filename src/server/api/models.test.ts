import { LLMock } from "@copilotkit/aimock";
import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Model, ModelTestResult } from "@/contract/model";
import type { Database } from "@/server/db/connection/database";
import { seedModels } from "@/server/db/settings/model-writes";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { startStubServer } from "@/test/stub-server";
import { builtinTools } from "@/test/tool-fixture";
import { NO_PROVIDERS, WIRE_PROVIDERS } from "@/test/wire-model";
import { testProcess } from "@/test/test-process";

const KEY = "sk-key-that-no-response-may-have-0123456789";
const COMPATIBLE = { provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1" };
/** An address where nothing listens. */
const NOWHERE = "http://127.0.0.1:9/v1";

let db: Database;
let owner: TestClient;
let member: TestClient;

beforeAll(async () => {
  db = await testDatabase();
  const api = createTestApi(db);
  owner = await createClient(db, api, { role: "owner" });
  member = await createClient(db, api);
  await db.prisma.model.deleteMany();
  await seedModels(db, [{ provider: "demo", model: "demo", name: "Demo" }]);
});
afterEach(() => db.prisma.model.deleteMany({ where: { fromEnvironment: false } }));
afterAll(() => db.prisma.model.deleteMany());

/** An owner of a server with these settings. */
const withSettings = (options: Parameters<typeof createTestApi>[2]) =>
  createClient(db, createTestApi(db, createToolSources(builtinTools), options), { role: "owner" });

const create = async (fields: object, client = owner): Promise<Model> => {
  const { status, body } = await client.call("POST /models", { model: `m-${newId()}`, ...fields });
  expect(body).toMatchObject({ id: expect.any(String) as string });
  expect(status).toBe(201);
  return body as Model;
};
const patch = (id: string, fields: object) => owner.call(`PATCH /models/${id}`, fields);
const test = async (id: string, client = owner) =>
  (await client.call(`POST /models/${id}/test`)).body as ModelTestResult;
const list = async (client = owner, query = "?all=true") =>
  ((await client.call(`GET /models${query}`)).body as { data: Model[] }).data;
const find = async (id: string, client = owner) =>
  (await list(client)).find((model) => model.id === id);

describe("models of the settings", () => {
  it("are added with what is known of them, and offered to everybody without their access", async () => {
    const model = await create({ provider: "openai", model: "gpt-5-mini", api_key: KEY });
    expect(model).toMatchObject({
      name: "GPT-5 mini",
      context_limit: 400_000,
      prices: { input: 250_000 },
      abilities: ["tools", "images", "pdfs", "reasoning"],
      enabled: true,
      is_default: false,
      access: { source: "settings", from_environment: false, base_url: null, key: "settings" },
    });
    const offered = await list(member, "");
    expect(offered.map(({ id }) => id)).toContain(model.id);
    expect(offered.filter(({ access }) => access)).toEqual([]);
  });

  it("are changed field by field", async () => {
    const { id } = await create({ ...COMPATIBLE, name: "Mine" });
    const changes = {
      model: `other-${id}`,
      name: "Other",
      context_limit: 8_000,
      enabled: false,
      prices: { input: 1, output: 2 },
    };
    expect(await patch(id, changes)).toMatchObject({ status: 200, body: changes });
    expect((await patch(id, { prices: null, context_limit: null })).body).toMatchObject({
      context_limit: null,
      name: "Other",
    });
    expect(await find(id)).not.toHaveProperty("prices");
    expect((await list(member, "")).map((model) => model.id)).not.toContain(id);
  });

  it("call tools natively, or as XML in their answers", async () => {
    const { id, tool_protocol } = await create(COMPATIBLE);
    expect(tool_protocol).toBe("native");
    const changed = await patch(id, { tool_protocol: "xml" });
    expect(changed).toMatchObject({ status: 200, body: { tool_protocol: "xml" } });
    expect((await patch(id, { name: "Mine" })).body).toMatchObject({ tool_protocol: "xml" });
    expect(await create({ ...COMPATIBLE, tool_protocol: "xml" })).toMatchObject({
      tool_protocol: "xml",
    });
    const refused = await owner.fail(`PATCH /models/${id}`, { tool_protocol: "json" });
    expect(refused.status).toBe(400);
  });

  it("read the files that are set, or those that are known", async () => {
    const { id, ...created } = await create({ ...COMPATIBLE, reads: "images" });
    expect(created).toMatchObject({ reads: "images", abilities: ["tools", "images"] });
    const abilities = ["tools", "images", "pdfs"];
    expect((await patch(id, { reads: "images_and_pdfs" })).body).toMatchObject({ abilities });
    const changed = (await patch(id, { name: "Mine" })).body;
    expect(changed).toMatchObject({ reads: "images_and_pdfs", abilities });
    const unset = (await patch(id, { reads: null })).body;
    expect(unset).not.toHaveProperty("reads");
    expect(unset).not.toHaveProperty("abilities");
    const known = await create({ provider: "openai", model: "gpt-5-mini", reads: "text" });
    expect(known.abilities).toEqual(["tools", "reasoning"]);
    expect((await list(member, "")).find((model) => model.id === known.id)).toMatchObject({
      reads: "text",
      abilities: ["tools", "reasoning"],
    });
    expect((await owner.fail(`PATCH /models/${id}`, { reads: "pdfs" })).status).toBe(400);
  });

  it("say from where on a chat is summed up, if that is set", async () => {
    const { id } = await create({ ...COMPATIBLE, compact_at: 60 });
    expect(await find(id)).toMatchObject({ compact_at: 60 });
    expect((await patch(id, { name: "Small" })).body).toMatchObject({ compact_at: 60 });
    expect((await patch(id, { compact_at: null })).body).not.toHaveProperty("compact_at");
    for (const compact_at of [0, 19, 101, 50.5, "80"]) {
      expect(await owner.fail(`PATCH /models/${id}`, { compact_at })).toMatchObject({
        status: 400,
      });
    }
  });

  it("say how long an answer is waited for, if that is set", async () => {
    const { id } = await create({ ...COMPATIBLE, wait_minutes: 20 });
    expect(await find(id)).toMatchObject({ wait_minutes: 20 });
    expect((await patch(id, { name: "Slow" })).body).toMatchObject({ wait_minutes: 20 });
    expect((await patch(id, { wait_minutes: null })).body).not.toHaveProperty("wait_minutes");
    for (const wait_minutes of [0, 31, 1.5, "5"]) {
      expect(await owner.fail(`PATCH /models/${id}`, { wait_minutes })).toMatchObject({
        status: 400,
      });
    }
  });

  it("set what chats and messages leave open, and say which efforts they have", async () => {
    const set = { max_output_tokens: 8_000, reasoning_effort: "high", temperature: 0.5 };
    const { id } = await create({ ...COMPATIBLE, ...set });
    expect(await find(id)).toMatchObject(set);
    expect(await find(id)).not.toHaveProperty("reasoning_efforts");
    const emptied = { temperature: null, reasoning_effort: null };
    const { body } = await patch(id, emptied);
    expect(body).toMatchObject({ max_output_tokens: 8_000 });
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("reasoning_effort");
    for (const wrong of [
      { max_output_tokens: 15 },
      { max_output_tokens: 1.5 },
      { max_output_tokens: 1_000_001 },
      { temperature: -0.1 },
      { temperature: 2.1 },
      { temperature: "0" },
      { reasoning_effort: "enormous" },
    ]) {
      const refused = await owner.fail(`PATCH /models/${id}`, wrong);
      expect(refused).toMatchObject({
        status: 400,
        problem: { errors: [{ pointer: `/${Object.keys(wrong).join()}` }] },
      });
    }
    const known = await create({ provider: "openai", model: "gpt-5-mini", api_key: KEY });
    expect(known.reasoning_efforts).toEqual(["minimal", "low", "medium", "high"]);
    const other = await create({ provider: "openai", model: "gpt-4o", api_key: KEY });
    expect(other.reasoning_efforts).toEqual([]);
  });

  it("have tools that their provider runs, of those that it has, and a store for a search of files", async () => {
    const { id } = await create({
      provider: "openai",
      model: "gpt-5-nano",
      api_key: KEY,
      provider_tools: ["web_search", "file_search"],
      file_stores: ["vs_1"],
    });
    expect(await find(id)).toMatchObject({
      provider_tools: ["web_search", "file_search"],
      access: { file_stores: ["vs_1"] },
    });
    const { body } = await patch(id, { provider_tools: [], file_stores: [] });
    expect(body).not.toHaveProperty("provider_tools");
    expect(body).not.toHaveProperty("access.file_stores");
    for (const [wrong, pointer] of [
      [{ provider_tools: ["file_search"] }, "/file_stores"],
      [{ provider_tools: ["web_search", "web_search"] }, "/provider_tools"],
      [{ provider_tools: ["computer"] }, "/provider_tools/0"],
      [{ file_stores: ["1", "2", "3", "4", "5", "6"] }, "/file_stores"],
    ] as const) {
      expect(await owner.fail(`PATCH /models/${id}`, wrong)).toMatchObject({
        status: 400,
        problem: { errors: [{ pointer }] },
      });
    }
    const refused = { ...COMPATIBLE, model: "no-tools", provider_tools: ["web_search"] };
    expect(await owner.fail("POST /models", refused)).toMatchObject({
      status: 400,
      problem: { errors: [{ pointer: "/provider_tools/0" }] },
    });
  });

  it("keep one default model, which is replaced and not removed", async () => {
    const { id } = await create({ ...COMPATIBLE, is_default: true });
    const defaults = async () =>
      (await list()).filter(({ is_default }) => is_default).map((model) => model.id);
    expect(await defaults()).toEqual([id]);
    for (const refused of [
      await owner.fail(`PATCH /models/${id}`, { is_default: false }),
      await owner.fail(`PATCH /models/${id}`, { enabled: false }),
      await owner.fail(`DELETE /models/${id}`),
    ]) {
      expect(refused.problem.detail).toContain("make another one the default first");
      expect(refused.status).toBe(409);
    }
    const other = await create(COMPATIBLE);
    await patch(other.id, { is_default: true });
    expect(await defaults()).toEqual([other.id]);
    expect((await owner.call(`DELETE /models/${id}`)).status).toBe(204);
    expect((await owner.fail(`DELETE /models/${id}`)).status).toBe(404);
    await seedModels(db, [{ provider: "demo", model: "demo" }]);
    expect(await defaults()).toEqual([other.id]);
  });

  it("leave their chats to the default one when they are deleted", async () => {
    const { id } = await create(COMPATIBLE);
    const chatId = await owner.startChat({ model_id: id });
    await owner.call(`DELETE /models/${id}`);
    expect((await owner.call(`GET /chats/${chatId}`)).body).toMatchObject({ model_id: null });
  });

  it("are seen by every process after the commit", async () => {
    const { models } = testProcess(db).cached;
    await models.watch();
    // The list of a process does not expire by itself.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { id } = await create(COMPATIBLE);
    const find = async () => (await models.get()).find((model) => model.id === id);
    await expect.poll(find).toMatchObject({ baseUrl: NOWHERE });
    await patch(id, { base_url: "http://127.0.0.1:10/v1" });
    await expect.poll(find).toMatchObject({ baseUrl: "http://127.0.0.1:10/v1" });
  });

  it.each([
    [{ provider: "openai", base_url: "ftp://example.org" }, "/base_url"],
    [{ provider: "openai", base_url: "example.org/v1" }, "/base_url"],
    [{ provider: "openai", base_url: "http://user:word@example.org" }, "/base_url"],
    [{ provider: "openai", base_url: "http://example.org/?key=1" }, "/base_url"],
    [{ provider: "openai-compatible" }, "/base_url"],
    [{ provider: "openai", api_key: "two words" }, "/api_key"],
    [{ provider: "openai", api_key: "" }, "/api_key"],
    [{ provider: "openai", api_key: "schlüssel" }, "/api_key"],
    [{ provider: "demo", api_key: KEY }, "/api_key"],
    [{ provider: "other" }, "/provider"],
    [{ provider: "openai", model: " " }, "/model"],
    [{ provider: "openai", context_limit: 0 }, "/context_limit"],
    [{ provider: "openai", prices: { input: -1, output: 1 } }, "/prices/input"],
    [{ provider: "openai", enabled: false, is_default: true }, "/is_default"],
  ])("are refused as %j", async (fields, pointer) => {
    const before = await list();
    const { problem } = await owner.fail("POST /models", { model: "x", ...fields });
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer }] });
    expect(JSON.stringify(problem)).not.toContain(KEY);
    expect(await list()).toEqual(before);
  });

  it("are there once", async () => {
    const { model } = await create(COMPATIBLE);
    const again = await owner.fail("POST /models", { ...COMPATIBLE, model });
    expect(again.problem).toMatchObject({
      status: 409,
      errors: [{ pointer: "/model", message: "Change the model that is in the list." }],
    });
    const other = await create(COMPATIBLE);
    expect((await owner.fail(`PATCH /models/${other.id}`, { model })).status).toBe(409);
  });

  it("have another id on each OpenAI-compatible server, and the refusal says how", async () => {
    const { model } = await create(COMPATIBLE);
    const second = { ...COMPATIBLE, base_url: "http://127.0.0.1:10/v1" };
    const { id } = await create(second);
    for (const { problem } of [
      await owner.fail("POST /models", { ...second, model }),
      await owner.fail(`PATCH /models/${id}`, { model }),
    ]) {
      expect(problem).toMatchObject({ status: 409, errors: [{ pointer: "/model" }] });
      expect(problem.errors?.[0]?.message).toMatch(/^Another server .* second name .*ollama cp/);
    }
  });

  it("are the administrator's", async () => {
    const { id } = await create(COMPATIBLE);
    for (const [route, body] of [
      ["GET /models?all=true"],
      ["POST /models", { ...COMPATIBLE, model: "x" }],
      [`PATCH /models/${id}`, { name: "x" }],
      [`DELETE /models/${id}`],
      [`POST /models/${id}/test`],
      ["POST /models/discover", COMPATIBLE],
    ] as const) {
      expect([route, (await member.fail(route, body)).status]).toEqual([route, 403]);
    }
    const reader = await createClient(db, createTestApi(db), { role: "owner", scope: "read" });
    expect((await reader.fail("GET /models?all=true")).status).toBe(403);
    expect((await reader.call("GET /models")).status).toBe(200);
  });
});

describe("keys of models", () => {
  it("are in no response, and in no row as they were sent", async () => {
    const model = await create({ ...COMPATIBLE, api_key: KEY });
    const changed = await patch(model.id, { api_key: `${KEY}-new` });
    const answers = [model, changed.body, await list(), await list(member, "")];
    expect(JSON.stringify(answers)).not.toContain(KEY);
    const tables = await db.query<{ name: string }>(
      {
        name: "test-tables",
        text: "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
      },
      [],
    );
    const dump = await Promise.all(
      tables.map(({ name }) =>
        db.query(
          { name: `test-dump-${name}`, text: `SELECT row_to_json(t) AS row FROM ${name} t` },
          [],
        ),
      ),
    );
    expect(JSON.stringify(dump)).toContain(model.id);
    expect(JSON.stringify(dump)).not.toContain(KEY);
  });

  it("are not sent to another address than that for which they were entered", async () => {
    const { id } = await create({ ...COMPATIBLE, api_key: KEY });
    const refused = await owner.fail(`PATCH /models/${id}`, { base_url: "http://127.0.0.1:8/v1" });
    expect(refused.problem).toMatchObject({ status: 400, errors: [{ pointer: "/api_key" }] });
    expect(await find(id)).toMatchObject({ access: { base_url: NOWHERE } });
    const both = { base_url: "http://127.0.0.1:8/v1", api_key: KEY };
    expect((await patch(id, both)).status).toBe(200);
    expect((await patch(id, { base_url: NOWHERE, api_key: null })).body).toMatchObject({
      access: { base_url: NOWHERE, key: "none" },
    });
  });

  it("cannot be read after a change of the secret, which is said, and are entered again", async () => {
    const { id } = await create({ provider: "anthropic", api_key: KEY });
    const changed = await withSettings({ secret: "another secret for the tests of this server" });
    expect(await find(id, changed)).toMatchObject({
      access: {
        key: "unreadable",
        problem: expect.stringContaining("enter the key again") as string,
      },
    });
    expect(await test(id, changed)).toMatchObject({
      ok: false,
      message: expect.stringContaining("secret was changed") as string,
    });
    await changed.call(`PATCH /models/${id}`, { api_key: KEY });
    expect(await find(id, changed)).toMatchObject({ access: { key: "settings" } });
  });
});

describe("the environment", () => {
  const access = { apiKey: "key-of-the-environment", baseUrl: undefined };
  const model = "gpt-of-the-environment";
  const seed = () =>
    seedModels(db, [
      { provider: "demo", model: "demo" },
      { provider: "openai", model },
    ]);
  const named = async (client: TestClient) =>
    (await list(client)).find((one) => one.model === model);

  it("decides on the models that it names, and says so", async () => {
    await seed();
    const client = await withSettings({
      providers: { ...NO_PROVIDERS, openai: access },
    });
    const found = await named(client);
    expect(found?.access).toEqual({
      source: "environment",
      from_environment: true,
      base_url: null,
      key: "environment",
    });
    for (const [route, body, variable] of [
      [`PATCH /models/${found?.id}`, { api_key: KEY }, "OPENAI_API_KEY"],
      [`PATCH /models/${found?.id}`, { base_url: NOWHERE }, "OPENAI_API_KEY"],
      [`PATCH /models/${found?.id}`, { model: "x" }, "PARLEY_MODELS"],
      [`DELETE /models/${found?.id}`, undefined, "PARLEY_MODELS"],
    ] as const) {
      const { problem } = await client.fail(route, body);
      expect(problem).toMatchObject({ status: 409 });
      expect(problem.detail).toContain(variable);
    }
    const renamed = await client.call(`PATCH /models/${found?.id}`, {
      name: "Ours",
      enabled: false,
    });
    expect(renamed.body).toMatchObject({ name: "Ours", enabled: false });
    expect(JSON.stringify(await list(client))).not.toContain(access.apiKey);
  });

  it("leaves a key that it lacks to the settings, and comes first once it has one", async () => {
    await seed();
    const { id = "", access: before } = (await named(owner)) ?? {};
    expect(before).toMatchObject({ key: "none" });
    expect(before?.problem).toContain("OPENAI_API_KEY");
    await patch(id, { api_key: KEY });
    expect(await find(id)).toMatchObject({ access: { from_environment: false, key: "settings" } });
    const client = await withSettings({ providers: { ...NO_PROVIDERS, openai: access } });
    expect(await find(id, client)).toMatchObject({ access: { from_environment: true } });
  });

  it("gives its key to models of the settings that have no access of their own", async () => {
    const client = await withSettings({ providers: { ...NO_PROVIDERS, openai: access } });
    const { id } = await create({ provider: "openai" }, client);
    expect(await find(id, client)).toMatchObject({
      access: { source: "settings", from_environment: true, key: "environment" },
    });
    await client.call(`PATCH /models/${id}`, { base_url: NOWHERE });
    expect(await find(id, client)).toMatchObject({
      access: { from_environment: false, key: "none" },
    });
  });

  it("gives up a model that it no longer names, which the settings then have", async () => {
    await seed();
    await seedModels(db, [{ provider: "demo", model: "demo" }]);
    const found = await named(owner);
    expect(found?.access?.source).toBe("settings");
    expect((await owner.call(`DELETE /models/${found?.id}`)).status).toBe(204);
  });
});

describe.each(WIRE_PROVIDERS)("a test of a model of %s", (provider) => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());
  const path = provider === "google" ? "/v1beta" : "/v1";

  it("sends the stored key to the stored address", async () => {
    mock.onMessage("Reply with the word OK.", { content: "OK" });
    const { id, name } = await create({ provider, base_url: `${mock.url}${path}/`, api_key: KEY });
    expect(await test(id)).toMatchObject({ ok: true, message: `${name} answers.` });
    expect(mock.getLastRequest()).toBeDefined();
  });

  it("says that the key is refused, without showing it, and keeps the model", async () => {
    const stub = await startStubServer((response, { headers }) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Not known: ${JSON.stringify(headers)}` } }));
    });
    onTestFinished(stub.close);
    const { id } = await create({ provider, base_url: stub.url, api_key: KEY });
    const result = await test(id);
    expect(result.ok).toBe(false);
    expect(result.message).toMatch(
      / is refusing the API key\. Enter it again here, or check [A-Z_]+\.$/,
    );
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(JSON.stringify(stub.requests[0]?.headers)).toContain(KEY);
    expect(await find(id)).toMatchObject({ access: { key: "settings", base_url: stub.url } });
  });

  it("says that the address does not answer", async () => {
    const { id } = await create({ provider, base_url: NOWHERE, api_key: KEY });
    expect(await test(id)).toMatchObject({
      ok: false,
      message: expect.stringContaining("not reachable") as string,
    });
  });
});

it("a test is of a model that exists", async () => {
  expect((await owner.fail(`POST /models/${newId()}/test`)).status).toBe(404);
});
