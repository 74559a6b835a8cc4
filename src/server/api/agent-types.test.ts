import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AgentTypesConfig } from "@/contract/agent-type";
import { agentTypeSetting, readAgentTypes } from "@/server/db/settings/agent-type-reads";
import type { Database } from "@/server/db/connection/database";
import { changeSetting } from "@/server/db/settings/setting-writes";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { testProcess } from "@/test/test-process";
import { EXPLORE_TOOLS, SHIPPED_AGENT_TYPES } from "@/test/tool-fixture";

const PATH = "/config/agent-types";

let db: Database;
let api: TestApi;
let owner: TestClient;
let member: TestClient;
beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
  owner = await createClient(db, api, { role: "owner" });
  member = await createClient(db, api);
});
const clear = async (): Promise<void> => {
  await db.prisma.setting.deleteMany({ where: { key: agentTypeSetting.key } });
  testProcess(db).cached.agentTypes.forget();
};
afterEach(clear);
afterAll(clear);

const review = (changes: object = {}) => ({
  name: "review",
  description: "Reviews a change",
  prompt: "Name each fault.",
  tools: ["read_file"],
  model_id: null,
  max_steps: 20,
  inherit_dynamic_tools: true,
  ...changes,
});
const put = (...agent_types: object[]) => owner.call(`PUT ${PATH}`, { agent_types });
const read = async () => (await owner.call(`GET ${PATH}`)).body as AgentTypesConfig;
const store = (...agent_types: ReturnType<typeof review>[]) =>
  changeSetting(db, agentTypeSetting, () => ({ agent_types }));
const createModel = async (): Promise<string> => {
  const fields = { provider: "demo", model: crypto.randomUUID() };
  return ((await owner.call("POST /models", fields)).body as { id: string }).id;
};

describe("agent types", () => {
  it("are `general` and a reading `explore` at first, which can be saved as they are", async () => {
    const { agent_types, version } = await read();
    expect(version).toBe(0);
    expect(agent_types).toMatchObject([
      { name: "general", tools: null, model_id: null, max_steps: null },
      { name: "explore", inherit_dynamic_tools: false },
    ]);
    const explore = agent_types[1]?.tools ?? [];
    expect(explore).toEqual(expect.arrayContaining(["read_file", "search_files", "web_search"]));
    const changing = ["write_file", "edit_file", "exec", "ask_user_question", "task_cancel"];
    expect(explore.filter((name) => changing.includes(name))).toEqual([]);
    expect((await put(...agent_types)).body).toEqual({ agent_types, version: 1 });
  });

  it("are replaced as a whole, also those that ship", async () => {
    const saved = await put(review(), { name: "plain" });
    const plain = { name: "plain", description: "", prompt: "", tools: null, model_id: null };
    const agent_types = [review(), { ...plain, max_steps: null, inherit_dynamic_tools: false }];
    expect(saved).toMatchObject({ status: 200, body: { agent_types } });
    expect(await read()).toEqual(saved.body);
  });

  it("are not replaced by somebody who has not seen the newest", async () => {
    const { version } = (await put(review())).body as AgentTypesConfig;
    const change = (name: string) =>
      owner.call(`PUT ${PATH}`, { agent_types: [review({ name })], version });
    const answers = await Promise.all([change("plan"), change("write")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("Somebody else has changed the agent types") as string,
    });
    expect(await read()).toEqual(answers.find(({ status }) => status === 200)?.body);
  });

  it("are those of administrators, and of keys with that scope", async () => {
    const chatKey = await createClient(db, api, { role: "owner", scope: "chat" });
    for (const client of [member, chatKey]) {
      expect((await client.fail(`GET ${PATH}`)).problem.code).toBe("forbidden");
      const refused = await client.fail(`PUT ${PATH}`, { agent_types: [review()] });
      expect(refused.problem).toMatchObject({ status: 403, code: "forbidden" });
    }
    expect(await readAgentTypes(db, EXPLORE_TOOLS)).toEqual(SHIPPED_AGENT_TYPES);
  });

  it.each<[what: string, types: object[], pointers: string[]]>([
    ["nothing", [], [""]],
    ["a tool that is none", [review({ tools: ["read_file", "fly"] })], ["/0/tools/1"]],
    ["a tool of root chats", [review({ tools: ["ask_user_question"] })], ["/0/tools/0"]],
    ["a tool twice", [review({ tools: ["exec", "exec"] })], ["/0/tools"]],
    ["no model", [review({ model_id: crypto.randomUUID() })], ["/0/model_id"]],
    ["a model that is no UUID", [review({ model_id: "gpt" })], ["/0/model_id"]],
    ["no step", [review({ max_steps: 0 })], ["/0/max_steps"]],
    ["too many steps", [review({ max_steps: 1_001 })], ["/0/max_steps"]],
    ["half a step", [review({ max_steps: 1.5 })], ["/0/max_steps"]],
    ["a name twice", [review(), review()], ["/1/name"]],
    ["a name with a space", [review({ name: "code review" })], ["/0/name"]],
    ["a blank name", [review({ name: "" })], ["/0/name"]],
    ["a long description", [review({ description: "x".repeat(501) })], ["/0/description"]],
    ["a long prompt", [review({ prompt: "x".repeat(20_001) })], ["/0/prompt"]],
    ["NUL", [review({ prompt: "a\0" })], ["/0/prompt"]],
    ["an unknown field", [review({ color: "red" })], ["/0/color"]],
    ["too many", Array.from({ length: 21 }, (_, i) => review({ name: `t${i}` })), [""]],
    [
      "several faults",
      [review({ tools: ["fly"] }), review({ name: "b", model_id: crypto.randomUUID() })],
      ["/0/tools/0", "/1/model_id"],
    ],
  ])("are refused with %s, and the old ones stay", async (_what, types, pointers) => {
    const saved = (await put(review())).body;
    const { problem } = await owner.fail(`PUT ${PATH}`, { agent_types: types });
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(
      pointers.map((pointer) => `/agent_types${pointer}`),
    );
    expect(await read()).toEqual(saved);
  });

  it("keep a tool and a model that are gone, so that others can be changed", async () => {
    const model_id = await createModel();
    const stored = review({ tools: ["read_file", "gone"], model_id });
    await store(stored);
    expect((await owner.call(`DELETE /models/${model_id}`)).status).toBe(204);
    expect((await put(stored, { name: "plain" })).status).toBe(200);
    expect((await put({ ...stored, name: "check" })).status).toBe(200);
    const moved = await owner.fail(`PUT ${PATH}`, {
      agent_types: [{ ...stored, name: "check" }, review({ name: "plain", tools: ["gone"] })],
    });
    expect(moved.problem.errors).toMatchObject([{ pointer: "/agent_types/1/tools/0" }]);
  });

  it("are those that ship when the stored ones cannot be read", async () => {
    const { key } = agentTypeSetting;
    await db.prisma.setting.create({ data: { key, value: { agent_types: "none" } } });
    expect(await readAgentTypes(db, EXPLORE_TOOLS)).toEqual(SHIPPED_AGENT_TYPES);
    expect((await put(review())).status).toBe(200);
  });

  it("are read anew after a change by another process", async () => {
    const { agentTypes } = testProcess(db).cached;
    await agentTypes.watch();
    expect(await agentTypes.get()).toEqual({ agent_types: [], version: 0 });
    await store(review());
    await expect.poll(agentTypes.get).toMatchObject({ agent_types: [review()] });
  });
});
