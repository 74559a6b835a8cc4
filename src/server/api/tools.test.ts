import { v7 as newId } from "uuid";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ApiKeyScopeSet } from "@/contract/api-key";
import type { ApprovalRulePage } from "@/contract/approval-rule";
import { DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Chat } from "@/contract/chat";
import type { MessagePage } from "@/contract/chat-outputs";
import { BUILTIN_TOOL_NAMES } from "@/server/app/tool-registry";
import type { ToolList } from "@/contract/tool";
import type { Database } from "@/server/db/connection/database";
import { ownedBy } from "@/server/db/chats/viewer";
import { insertApprovalRules } from "@/server/db/chats/approval-rule-writes";
import { createToolSources } from "@/server/tools/tool-source";
import {
  createClient,
  createTestApi,
  ORIGIN,
  type TestApi,
  type TestClient,
} from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { toolCall } from "@/test/tool-call";
import { builtinTools } from "@/test/tool-fixture";

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
afterEach(() => db.prisma.setting.deleteMany());

const listTools = async (client = member) => (await client.call("GET /tools")).body as ToolList;
const findTool = async (name: string, client = member) =>
  (await listTools(client)).data.find((tool) => tool.name === name);

describe("GET /tools", () => {
  it("lists every tool by name, with its source, description, mode and state", async () => {
    const { data } = await listTools();
    expect(data.map(({ name }) => name)).toEqual(BUILTIN_TOOL_NAMES.toSorted());
    expect(await findTool("current_time")).toEqual({
      input_schema: expect.objectContaining({ type: "object" }) as object,
      name: "current_time",
      source: "builtin",
      description: expect.stringContaining("time") as string,
      mode: "on",
      offered: true,
      root_only: false,
      read_only: true,
    });
    expect(await findTool("append_file")).toMatchObject({
      read_only: false,
      card: { label: "Append to file", icon: "file-plus", detail: "path" },
    });
  });

  it("says why a tool is not offered: the server cannot run it, it is off, it is not set up", async () => {
    const tools = builtinTools.map((tool) =>
      tool.name === "write_file" ? { ...tool, unavailable: "There is no disk." } : tool,
    );
    const limited = createTestApi(db, createToolSources(tools));
    const client = await createClient(db, limited, { role: "owner" });
    await client.call("PUT /tools/read_file", { mode: "off" });
    expect(await findTool("write_file", client)).toMatchObject({
      mode: "on",
      offered: false,
      reason: "There is no disk.",
    });
    expect(await findTool("read_file", client)).toMatchObject({
      mode: "off",
      offered: false,
      reason: expect.stringContaining("turned this tool off") as string,
    });
    expect(await findTool("advisor", client)).toMatchObject({
      mode: "on",
      offered: false,
      reason: expect.stringContaining("settings") as string,
    });
    await client.call("PUT /config/advisor", { ...DEFAULT_ADVISOR_CONFIG, enabled: true });
    expect(await findTool("advisor", client)).toMatchObject({ offered: true });
  });
});

it("GET /tools says what is wrong with a tool that is offered", async () => {
  const notice = "It is slow here.";
  const tools = builtinTools.map((tool) =>
    tool.name === "exec" ? { ...tool, unavailable: undefined, notice: () => notice } : tool,
  );
  const client = await createClient(db, createTestApi(db, createToolSources(tools)));
  expect(await findTool("exec", client)).toMatchObject({ offered: true, notice });
});

describe("PUT /tools/{name}", () => {
  it.each(["off", "ask", "on"] as const)("sets the mode %s, and repeats it", async (mode) => {
    for (const time of [1, 2]) {
      const answer = await owner.call("PUT /tools/read_file", { mode });
      expect([time, answer]).toMatchObject([
        time,
        { status: 200, body: { name: "read_file", mode } },
      ]);
    }
    expect(await findTool("read_file")).toMatchObject({ mode, offered: mode !== "off" });
    expect(await findTool("write_file")).toMatchObject({ mode: "on" });
  });

  it("keeps both of two changes at the same time", async () => {
    const names = BUILTIN_TOOL_NAMES;
    await Promise.all(names.map((name) => owner.call(`PUT /tools/${name}`, { mode: "ask" })));
    expect((await listTools()).data.map(({ mode }) => mode)).toEqual(names.map(() => "ask"));
  });

  it("refuses a member, an unknown tool and an unknown mode, and changes nothing", async () => {
    const refused = await member.fail("PUT /tools/read_file", { mode: "off" });
    expect(refused.problem).toMatchObject({ status: 403, code: "forbidden" });
    const unknown = await owner.fail("PUT /tools/fly", { mode: "off" });
    expect(unknown.problem).toMatchObject({ status: 404, code: "not_found" });
    expect(unknown.problem.detail).toContain("fly");
    const invalid = await owner.fail("PUT /tools/read_file", { mode: "sometimes" });
    expect(invalid.problem).toMatchObject({ status: 400, errors: [{ pointer: "/mode" }] });
    expect((await listTools()).data.every(({ mode }) => mode === "on")).toBe(true);
    expect(await db.prisma.setting.count()).toBe(0);
  });
});

describe("the tools of a chat", () => {
  it("are chosen when it is created, and shown in it", async () => {
    const { status, body } = await member.call("POST /chats", {
      content: "Hello",
      tools: ["read_file", "write_file"],
    });
    expect(status).toBe(201);
    const { id, tools } = body as Chat;
    expect(tools).toEqual(["read_file", "write_file"]);
    expect((await member.call(`GET /chats/${id}`)).body).toMatchObject({ tools });
  });

  it("are all by default, or none", async () => {
    expect((await member.call("POST /chats", { content: "x" })).body).toMatchObject({
      tools: null,
    });
    const none = await member.call("POST /chats", { content: "x", tools: [] });
    expect(none.body).toMatchObject({ tools: [] });
  });

  it("are changed later, and are all again with null", async () => {
    const id = await member.startChat();
    const change = async (fields: object) => (await member.call(`PATCH /chats/${id}`, fields)).body;
    expect(await change({ tools: ["read_file"] })).toMatchObject({ tools: ["read_file"] });
    expect(await change({ title: "Same tools" })).toMatchObject({ tools: ["read_file"] });
    expect(await change({ tools: [] })).toMatchObject({ tools: [] });
    expect(await change({ tools: null })).toMatchObject({ tools: null });
    const unknown = await member.fail(`PATCH /chats/${id}`, { title: "No", tools: ["fly"] });
    expect(unknown.problem).toMatchObject({ status: 400, errors: [{ pointer: "/tools/0" }] });
    expect((await member.call(`GET /chats/${id}`)).body).toMatchObject({
      title: "Same tools",
      tools: null,
    });
  });

  it("must exist, each once", async () => {
    const before = await db.prisma.chat.count();
    const unknown = await member.fail("POST /chats", {
      content: "x",
      tools: ["read_file", "fly", ""],
    });
    expect(unknown.problem).toMatchObject({
      status: 400,
      errors: [{ pointer: "/tools/1" }, { pointer: "/tools/2" }],
    });
    const twice = await member.fail("POST /chats", { content: "x", tools: ["advisor", "advisor"] });
    expect(twice.problem).toMatchObject({ status: 400, errors: [{ pointer: "/tools" }] });
    expect(await db.prisma.chat.count()).toBe(before);
  });
});

describe("approval rules", () => {
  const parkChat = async (client: TestClient): Promise<string> => {
    const chatId = await client.startChat();
    const call = (id: string, scope: { command: string } | null) =>
      openCall(id, "exec", { state: "awaiting_approval", approvalScope: scope });
    const parts = [call("a", { command: "ls" }), call("b", { command: "ls" }), call("c", null)];
    await commitAnswer(db, chatId, { parts, after: "park" });
    return chatId;
  };
  const decide = (chatId: string, ids: string[], fields: object) =>
    member.call(`POST /chats/${chatId}/approvals`, {
      decisions: ids.map((tool_call_id) => ({ tool_call_id, decision: "approve", ...fields })),
    });
  const listRules = async (client: TestClient, query = "") =>
    (await client.call(`GET /approval-rules${query}`)).body as ApprovalRulePage;

  it("come from an approval for the chat, which says beforehand what it covers", async () => {
    const chatId = await parkChat(member);
    const { body } = await member.call(`GET /chats/${chatId}`);
    expect((body as Chat).required_action?.approvals).toMatchObject([
      { tool_call_id: "a", approval_scope: { command: "ls" } },
      { tool_call_id: "b", approval_scope: { command: "ls" } },
      { tool_call_id: "c", approval_scope: null },
    ]);
    expect((await decide(chatId, ["a", "b", "c"], { scope: "chat" })).status).toBe(204);
    const { data } = await listRules(member);
    expect(data).toMatchObject([
      { chat_id: chatId, tool_name: "exec", scope: null },
      { scope: { command: "ls" }, created_by: `api_key:${member.keyId}`, chat_title: "Hello" },
    ]);
  });

  it("do not come from an approval of the call alone", async () => {
    const chatId = await parkChat(member);
    await decide(chatId, ["a"], {});
    await decide(chatId, ["b"], { scope: "call" });
    expect(await db.prisma.approvalRule.count({ where: { chatId } })).toBe(0);
  });

  it("are made for the arguments that the person has changed, which the call then has", async () => {
    const chatId = await member.startChat();
    const call = toolCall({
      toolCallId: "a",
      toolName: "write_file",
      kind: "builtin",
      state: "awaiting_approval",
      args: { path: "a.md", content: "a" },
    });
    await commitAnswer(db, chatId, { parts: [call], after: "park" });
    const route = `POST /chats/${chatId}/approvals`;
    const decision = { tool_call_id: "a", decision: "approve", scope: "chat" };
    const send = (more: object) => member.fail(route, { decisions: [{ ...decision, ...more }] });
    for (const [more, pointer] of [
      [{ args: { path: 5, content: "b" } }, "/decisions/0/args/path"],
      [{ args: [] }, "/decisions/0/args"],
      [{ args: "path" }, "/decisions/0/args"],
      [{ args: null }, "/decisions/0/args"],
      [{ args: { path: "\ud800", content: "b" } }, "/decisions/0/args"],
      [{ args: { path: "b.md", content: "b".repeat(200_000) } }, "/decisions/0/args"],
      [{ args: { path: "b.md" }, decision: "reject", scope: "call" }, "/decisions/0/args"],
    ] as const) {
      expect((await send(more)).problem).toMatchObject({ status: 400, errors: [{ pointer }] });
    }
    const args = { path: "b.md", content: "b" };
    expect((await member.call(route, { decisions: [{ ...decision, args }] })).status).toBe(204);
    const { body } = await member.call(`GET /chats/${chatId}/messages`);
    expect((body as MessagePage).data.at(-1)?.parts).toMatchObject([
      { args: { path: "a.md", content: "a" }, approved_args: args, state: "running" },
    ]);
  });

  it("cannot come from a rejection, nor from a decision that is refused", async () => {
    const chatId = await parkChat(member);
    const route = `POST /chats/${chatId}/approvals`;
    const always = { tool_call_id: "a", decision: "approve", scope: "chat" };
    const rejection = await member.fail(route, {
      decisions: [{ ...always, decision: "reject" }],
    });
    expect(rejection.problem).toMatchObject({
      status: 400,
      errors: [{ pointer: "/decisions/0/scope" }],
    });
    const partly = await member.fail(route, {
      decisions: [always, { ...always, tool_call_id: "unknown" }],
    });
    expect(partly.status).toBe(400);
    expect(await db.prisma.approvalRule.count({ where: { chatId } })).toBe(0);
  });

  it("by a pattern are taken from a request that says what they are for, and listed with it", async () => {
    const chatId = await parkChat(member);
    const route = `POST /chats/${chatId}/approvals`;
    const decision = { tool_call_id: "a", decision: "approve", scope: "chat", pattern: "ls *" };
    const send = (more: object) => member.fail(route, { decisions: [{ ...decision, ...more }] });
    for (const [more, pointer] of [
      // The test's server runs no commands.
      [{}, "/decisions/0/pattern"],
      [{ pattern: "*" }, "/decisions/0/pattern"],
      [{ pattern: "ls; *" }, "/decisions/0/pattern"],
      [{ pattern: 5 }, "/decisions/0/pattern"],
      [{ pattern: `ls ${"x".repeat(400)}` }, "/decisions/0/pattern"],
      [{ scope: "call" }, "/decisions/0/pattern"],
      [{ scope: "tool", pattern: undefined }, "/decisions/0/scope"],
      [{ scope: "tool", decision: "reject" }, "/decisions/0/scope"],
    ] as const) {
      expect((await send(more)).problem).toMatchObject({ status: 400, errors: [{ pointer }] });
    }
    expect((await listRules(member)).data.filter(({ pattern }) => pattern !== null)).toEqual([]);

    const client = await createClient(db, api);
    const rule = { toolName: "exec", scope: { command: "ls *" }, pattern: "ls *" };
    const rules = [{ ...rule, id: newId(), place: ownedBy(client) }];
    await insertApprovalRules(db, { createdBy: client.userId, rules });
    expect((await listRules(client)).data).toMatchObject([
      { chat_id: null, chat_title: null, scope: { command: "ls *" }, pattern: "ls *" },
    ]);
    expect((await member.fail(`DELETE /approval-rules/${rules[0]?.id}`)).status).toBe(404);
    expect((await client.call(`DELETE /approval-rules/${rules[0]?.id}`)).status).toBe(204);
  });

  describe("for all chats", () => {
    const sources = createToolSources(
      builtinTools.map((tool) =>
        tool.name === "exec" ? { ...tool, approvalPattern: "command" } : tool,
      ),
    );
    const always = { decision: "approve", scope: "tool", pattern: "ls *" };

    const parkWith = async (scope: ApiKeyScopeSet) => {
      const sandboxed = createTestApi(db, sources);
      const client = await createClient(db, sandboxed, { scope });
      const chatId = await client.startChat();
      const waiting = { kind: "builtin", state: "awaiting_approval" } as const;
      const approvalScope = { command: "ls x" };
      const parts = ["a", "b"].map((id) => openCall(id, "exec", { ...waiting, approvalScope }));
      await commitAnswer(db, chatId, { parts, after: "park" });
      return { client, chatId, sandboxed };
    };
    const countRules = ({ userId }: TestClient) =>
      db.prisma.approvalRule.count({
        where: { OR: [ownedBy({ userId }), { chat: ownedBy({ userId }) }] },
      });

    it("are not made by a key of the scope chat, over REST, over tRPC, with other decisions neither", async () => {
      const { client, chatId, sandboxed } = await parkWith("chat");
      const before = (await client.call(`GET /chats/${chatId}`)).body;
      const once = { tool_call_id: "a", decision: "approve" };
      for (const decisions of [
        [{ ...always, tool_call_id: "a" }],
        [once, { ...always, tool_call_id: "b" }],
      ]) {
        const { problem } = await client.fail(`POST /chats/${chatId}/approvals`, { decisions });
        expect(problem).toMatchObject({ status: 403, code: "forbidden" });
        expect(problem.detail).toMatch(/"admin".*"chat"/);
        const trpc = await sandboxed.api.handleTrpc(
          new Request(`${ORIGIN}/api/trpc/chats.decideApprovals`, {
            method: "POST",
            headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
            body: JSON.stringify({ chat_id: chatId, decisions }),
          }),
        );
        expect(trpc.status).toBe(403);
      }
      expect((await client.call(`GET /chats/${chatId}`)).body).toEqual(before);
      expect(await countRules(client)).toBe(0);

      const decisions = [{ ...always, scope: "chat", tool_call_id: "a" }];
      const made = await client.call(`POST /chats/${chatId}/approvals`, { decisions });
      expect(made.status).toBe(204);
      expect((await listRules(client)).data).toMatchObject([{ chat_id: chatId }]);
    });

    it("are made by a key that may change settings", async () => {
      const { client, chatId } = await parkWith("admin");
      const decisions = [{ ...always, tool_call_id: "a" }];
      const made = await client.call(`POST /chats/${chatId}/approvals`, { decisions });
      expect(made.status).toBe(204);
      expect((await listRules(client)).data).toMatchObject([{ chat_id: null, pattern: "ls *" }]);
    });
  });

  it("are listed in pages, revoked once, and deleted with their chat", async () => {
    const client = await createClient(db, api);
    const chatId = await client.startChat();
    const rules = ["one", "two", "three"].map((toolName) => ({
      id: newId(),
      toolName,
      place: { chatId },
      scope: null,
      pattern: null,
    }));
    await insertApprovalRules(db, { createdBy: client.userId, rules });
    const first = await listRules(client, "?limit=2");
    expect(first.data.map(({ tool_name }) => tool_name)).toEqual(["three", "two"]);
    const next = await listRules(client, `?limit=2&cursor=${first.next_cursor}`);
    expect(next.data.map(({ tool_name }) => tool_name)).toEqual(["one"]);
    expect(next.next_cursor).toBeUndefined();

    expect(await client.call(`DELETE /approval-rules/${rules[0]?.id}`)).toMatchObject({
      status: 204,
    });
    expect((await client.fail(`DELETE /approval-rules/${rules[0]?.id}`)).status).toBe(404);
    expect((await listRules(client)).data).toHaveLength(2);
    await commitAnswer(db, chatId, { parts: [], after: "finish" });
    expect((await client.call(`DELETE /chats/${chatId}`)).status).toBe(204);
    expect(await db.prisma.approvalRule.count({ where: { chatId } })).toBe(0);
  });

  it("are not listed with a cursor that is none", async () => {
    expect((await member.fail("GET /approval-rules?cursor=x")).problem).toMatchObject({
      status: 400,
    });
  });
});
