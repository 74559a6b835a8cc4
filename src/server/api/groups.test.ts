import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { GroupList, GroupsConfig } from "@/contract/group";
import { groupSetting, readGroups } from "@/server/db/settings/group-reads";
import { changeSetting } from "@/server/db/settings/setting-writes";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { testProcess } from "@/test/test-process";

const PATH = "/config/groups";

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
// Other files of the worker have the same database.
afterEach(() => owner.call(`PUT ${PATH}`, { groups: [] }));
afterAll(async () => {
  await db.prisma.setting.deleteMany();
  testProcess(db).cached.groups.forget();
});

const review = (changes: object = {}) => ({
  name: "review",
  description: "Reviews a change",
  tools: ["read_file"],
  dynamic_tools: [],
  prompt: "Name each fault.",
  include_default_prompt: false,
  ...changes,
});
const deploy = { name: "deploy", description: "Deploys", output_schema: { type: "boolean" } };
const put = (...groups: object[]) => owner.call(`PUT ${PATH}`, { groups });
const list = async () => ((await member.call("GET /groups")).body as GroupList).data;

describe("groups", () => {
  it("are none at first, and replaced as a whole", async () => {
    expect((await owner.call(`GET ${PATH}`)).body).toMatchObject({ groups: [] });
    const saved = await put(review(), { name: "plain", tools: [] });
    const plain = { name: "plain", description: "", tools: [], dynamic_tools: [], prompt: "" };
    const config = { groups: [review(), { ...plain, include_default_prompt: true }] };
    expect(saved).toMatchObject({ status: 200, body: config });
    expect((await owner.call(`GET ${PATH}`)).body).toEqual(saved.body);
    await put(review({ tools: [] }));
    expect((await owner.call(`GET ${PATH}`)).body).toMatchObject({
      groups: [review({ tools: [] })],
    });
  });

  it("are not replaced by somebody who has not seen the newest", async () => {
    const { version } = (await put(review())).body as GroupsConfig;
    const change = (name: string) =>
      owner.call(`PUT ${PATH}`, { groups: [review(), review({ name })], version });
    const answers = await Promise.all([change("plan"), change("write")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("Somebody else has changed the groups") as string,
    });
    const saved = answers.find(({ status }) => status === 200)?.body as GroupsConfig;
    expect((await owner.call(`GET ${PATH}`)).body).toEqual(saved);
    expect(saved.version).toBe(version + 1);
    expect((await put()).status, "without a version").toBe(200);
  });

  it("are listed for everybody, without their prompts", async () => {
    await put(review());
    const shown = { name: "review", description: "Reviews a change", tools: ["read_file"] };
    expect(await list()).toEqual([{ ...shown, missing_tools: [], dynamic_tools: [] }]);
  });

  it("are those of administrators, and of keys with that scope", async () => {
    for (const [client, route] of [
      [member, `GET ${PATH}`],
      [await createClient(db, api, { role: "owner", scope: "chat" }), `GET ${PATH}`],
    ] as const) {
      expect((await client.fail(route)).problem.code).toBe("forbidden");
    }
    const refused = await member.fail(`PUT ${PATH}`, { groups: [review()] });
    expect(refused.problem).toMatchObject({ status: 403, code: "forbidden" });
    expect(await readGroups(db)).toEqual([]);
  });

  it.each<[what: string, groups: object[], pointers: string[]]>([
    ["a tool that is none", [review({ tools: ["read_file", "fly"] })], ["/groups/0/tools/1"]],
    ["a tool twice", [review({ tools: ["exec", "exec"] })], ["/groups/0/tools"]],
    ["a name twice", [review(), review()], ["/groups/1/name"]],
    ["a name with a space", [review({ name: "code review" })], ["/groups/0/name"]],
    ["a name that looks like a number", [review({ name: "1st" })], ["/groups/0/name"]],
    ["a long prompt", [review({ prompt: "x".repeat(20_001) })], ["/groups/0/prompt"]],
    ["NUL", [review({ prompt: "a\0" })], ["/groups/0/prompt"]],
    ["an unknown field", [review({ color: "red" })], ["/groups/0/color"]],
    [
      "a dynamic tool twice",
      [review({ dynamic_tools: [deploy, deploy] })],
      ["/groups/0/dynamic_tools/1/name"],
    ],
    [
      "a dynamic tool without a name",
      [review({ dynamic_tools: [{}] })],
      ["/groups/0/dynamic_tools/0/name"],
    ],
    [
      "a dynamic tool of the server's",
      [review({ dynamic_tools: [deploy, { name: "exec" }] })],
      ["/groups/0/dynamic_tools/1/name"],
    ],
    [
      "a dynamic tool of a provider's",
      [review({ dynamic_tools: [{ name: "code_execution" }] })],
      ["/groups/0/dynamic_tools/0/name"],
    ],
    [
      "too many dynamic tools",
      [review({ dynamic_tools: Array.from({ length: 251 }, (_, i) => ({ name: `t${i}` })) })],
      ["/groups/0/dynamic_tools"],
    ],
    ["too many", Array.from({ length: 101 }, (_, i) => review({ name: `g${i}` })), ["/groups"]],
  ])("are refused with %s, and the old ones stay", async (_what, groups, pointers) => {
    await put(review());
    const { problem } = await owner.fail(`PUT ${PATH}`, { groups });
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(await readGroups(db)).toEqual([review()]);
  });

  it("say which of their tools have vanished, and keep them when another group changes", async () => {
    const stored = review({ tools: ["read_file", "gone"] });
    await changeSetting(db, groupSetting, () => ({ groups: [stored] }));
    expect(await list()).toMatchObject([{ missing_tools: ["gone"] }]);
    expect((await put(stored, { name: "plain", tools: [] })).status).toBe(200);
    const moved = await owner.fail(`PUT ${PATH}`, {
      groups: [review(), { name: "plain", tools: ["gone"] }],
    });
    expect(moved.problem.errors).toMatchObject([{ pointer: "/groups/1/tools/0" }]);
  });

  it("keep tools that have vanished when they are renamed", async () => {
    await changeSetting(db, groupSetting, () => ({
      groups: [review({ tools: ["read_file", "gone"] })],
    }));
    const renamed = review({ name: "check", tools: ["gone"] });
    expect((await put(renamed)).status).toBe(200);
    expect(await list()).toMatchObject([{ name: "check", missing_tools: ["gone"] }]);
    const both = await owner.fail(`PUT ${PATH}`, {
      groups: [renamed, review({ tools: ["gone"] })],
    });
    expect(both.problem.errors).toMatchObject([{ pointer: "/groups/1/tools/0" }]);
  });

  it("have dynamic tools, of which everybody sees the names, and which keep a name that is taken since", async () => {
    const stored = review({ dynamic_tools: [deploy, { name: "exec" }] });
    await changeSetting(db, groupSetting, () => ({ groups: [stored] }));
    expect(await list()).toMatchObject([
      { tools: ["read_file"], dynamic_tools: ["deploy", "exec"] },
    ]);
    expect((await put(stored, review({ name: "plan" }))).status).toBe(200);
  });

  it("keep the schemas of dynamic tools as they are written, in their order and with any sign", async () => {
    const properties = { zebra: { type: "string" }, at: { title: "a\0b" }, __x: { default: {} } };
    const tool = { name: "deploy", output_schema: { type: "object", properties } };
    const saved = (await put(review({ dynamic_tools: [tool] }))).body as GroupsConfig;
    const stored = (await owner.call(`GET ${PATH}`)).body as GroupsConfig;
    for (const { groups } of [saved, stored]) {
      expect(JSON.stringify(groups[0]?.dynamic_tools)).toBe(JSON.stringify([tool]));
    }
    const id = await member.startChat({ groups: ["review"] });
    const { dynamic_tools: tools } = (await member.call(`GET /chats/${id}`)).body as Chat;
    expect(JSON.stringify(tools)).toBe(JSON.stringify([{ ...tool, group: "review" }]));
  });

  it("are read anew after a change by another process", async () => {
    const { groups } = testProcess(db).cached;
    await groups.watch();
    expect(await groups.get()).toMatchObject({ groups: [] });
    await changeSetting(db, groupSetting, () => ({ groups: [review()] }));
    await expect.poll(groups.get).toMatchObject({ groups: [review()] });
  });
});

describe("the groups of a chat", () => {
  it("are chosen when it is created, changed and removed", async () => {
    await put(review(), review({ name: "plan" }));
    const created = await member.call("POST /chats", { content: "x", groups: ["review"] });
    expect(created).toMatchObject({ status: 201, body: { groups: ["review"], tools: null } });
    const { id } = created.body as Chat;
    const change = async (fields: object) => (await member.call(`PATCH /chats/${id}`, fields)).body;
    expect(await change({ groups: ["plan", "review"], tools: ["exec"] })).toMatchObject({
      groups: ["plan", "review"],
      tools: ["exec"],
    });
    expect(await change({ pinned: true })).toMatchObject({ groups: ["plan", "review"] });
    expect(await change({ groups: [], tools: null })).toMatchObject({ groups: [], tools: null });
    const chat = await member.call("POST /chats", { content: "x" });
    expect(chat.body).toMatchObject({ groups: [], tools: null });
  });

  it("bring their dynamic tools, with the name of the group, and its calls are answered as those of others", async () => {
    await put(review({ dynamic_tools: [deploy] }));
    const id = await member.startChat({ groups: ["review"], dynamic_tools: [{ name: "own" }] });
    const tools = [{ name: "own" }, { ...deploy, group: "review" }];
    expect((await member.call(`GET /chats/${id}`)).body).toMatchObject({ dynamic_tools: tools });
    await commitAnswer(db, id, { parts: [openCall("a", "deploy")], after: "park" });
    const changed = await member.call(`PATCH /chats/${id}`, { groups: [] });
    expect(changed.body).toMatchObject({
      dynamic_tools: tools,
      required_action: { tool_calls: [{ output_schema: deploy.output_schema }] },
    });
    const answer = (output: unknown) => ({ results: [{ tool_call_id: "a", output }] });
    const route = `POST /chats/${id}/tool-results`;
    expect((await member.fail(route, answer("yes"))).problem).toMatchObject({ status: 400 });
    expect((await member.call(route, answer(true))).status).toBe(204);
  });

  it("must exist, each once, and are refused with their place", async () => {
    await put(review());
    const before = await db.prisma.chat.count();
    const body = { content: "x", groups: ["review", "nobody"], tools: ["fly"] };
    const unknown = await member.fail("POST /chats", body);
    expect(unknown.problem).toMatchObject({
      status: 400,
      errors: [{ pointer: "/tools/0" }, { pointer: "/groups/1" }],
    });
    const twice = await member.fail("POST /chats", { content: "x", groups: ["review", "review"] });
    expect(twice.problem).toMatchObject({ status: 400, errors: [{ pointer: "/groups" }] });
    expect(await db.prisma.chat.count()).toBe(before);
    const id = await member.startChat({ groups: ["review"] });
    const wrong = await member.fail(`PATCH /chats/${id}`, { groups: ["review", "nobody"] });
    expect(wrong.problem).toMatchObject({ status: 400, errors: [{ pointer: "/groups/1" }] });
    expect((await member.call(`GET /chats/${id}`)).body).toMatchObject({ groups: ["review"] });
  });

  it("that are gone can stay while others are removed", async () => {
    await put(review(), review({ name: "plan" }));
    const id = await member.startChat({ groups: ["review", "plan"] });
    await put(review({ name: "plan" }));
    const changed = await member.call(`PATCH /chats/${id}`, { groups: ["review"] });
    expect(changed).toMatchObject({ status: 200, body: { groups: ["review"] } });
  });

  it("are shown with a waiting message that mentions them", async () => {
    await put(review());
    const id = await member.startChat({});
    const send = async (body: object) =>
      (await member.call(`POST /chats/${id}/messages`, { content: "@review it", ...body })).body;
    expect(await send({ mentions: { groups: ["review"] } })).toMatchObject({
      queued_message: { mentions: { groups: ["review"], tools: [] } },
    });
    expect(await send({})).not.toHaveProperty("queued_message.mentions");
  });
});
