import { beforeAll, describe, expect, it } from "vitest";
import type { ApiKeyScope, KeyRestriction } from "@/contract/api-key";
import type { PartRow } from "@/server/db/chats/rows";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

type Rights = { scopes?: ApiKeyScope[]; only?: KeyRestriction };

/** Parks a chat with calls, and makes a key of its owner that may answer some of them. */
const park = async (parts: PartRow[], { scopes = ["calls:answer"], only }: Rights) => {
  const owner = await createClient(db, test);
  const tools = [{ name: "restart_db" }, { name: "delete_db" }];
  const chatId = await owner.startChat({ dynamic_tools: tools });
  await commitAnswer(db, chatId, { parts, after: "park" });
  const runner = await createKey(owner, { scopes, ...(only && { only }) });
  return { owner, runner, chatId };
};

/** Another key of the same user. */
const createKey = async (owner: TestClient, fields: object): Promise<TestClient> => {
  const { status, body } = await owner.call("POST /api-keys", { name: "runner", ...fields });
  if (status !== 201) throw new Error(`no key: ${JSON.stringify(body)}`);
  const authorization = `Bearer ${(body as { key: string }).key}`;
  const withKey =
    <Answer>(send: (route: string, sent?: object, headers?: Record<string, string>) => Answer) =>
    (route: string, sent?: object, headers?: Record<string, string>) =>
      send(route, sent, { ...headers, authorization });
  return { ...owner, call: withKey(owner.call), fail: withKey(owner.fail) } as TestClient;
};

const CALLS = [openCall("a", "restart_db"), openCall("b", "delete_db")];
const only = { tools: ["restart_*"] };
const inADay = () => ({ deadline_at: new Date(Date.now() + 86_400_000).toISOString() });

describe("a key for some tools", () => {
  it("answers and extends their calls, and sees nothing else", async () => {
    const { runner, chatId } = await park(CALLS, { only });
    const call = `/chats/${chatId}/tool-calls/a`;
    expect((await runner.call(`POST ${call}/extend`, inADay())).status).toBe(200);
    expect((await runner.call(`POST ${call}/result`, { output: 1 })).status).toBe(204);
    for (const route of [`GET /chats/${chatId}`, `GET /chats/${chatId}/messages`, "GET /watch"]) {
      expect((await runner.fail(route)).status).toBe(403);
    }
    expect((await runner.fail("POST /chats", { content: "x" })).status).toBe(403);
  });

  it("is refused for calls of others, open or not, and changes nothing", async () => {
    const { owner, runner, chatId } = await park(CALLS, { only });
    const call = `/chats/${chatId}/tool-calls/b`;
    const results = ["a", "b"].map((id) => ({ tool_call_id: id, output: 1 }));
    const before = await readWholeHistory(db, chatId);
    const attempts: [string, object][] = [
      [`POST ${call}/result`, { output: 1 }],
      [`POST ${call}/extend`, inADay()],
      [`POST /chats/${chatId}/tool-results`, { results }],
      [`POST /chats/${chatId}/tool-results`, { results: results.slice(1) }],
    ];
    for (const [route, sent] of attempts) {
      const { problem } = await runner.fail(route, sent);
      expect(problem).toMatchObject({ status: 403, code: "forbidden" });
      expect(problem.detail).toContain('"delete_db"');
    }
    expect(await readWholeHistory(db, chatId)).toEqual(before);
    expect((await owner.call(`POST ${call}/result`, { output: 1 })).status).toBe(204);
    expect((await runner.fail(`POST ${call}/result`, { output: 1 })).status).toBe(403);
    expect((await runner.fail(`POST ${call}/extend`, inADay())).status).toBe(403);
  });

  it("answers no call with an empty list of tools", async () => {
    const { runner, chatId } = await park(CALLS, { only: { tools: [] } });
    const route = `POST /chats/${chatId}/tool-calls/a/result`;
    expect((await runner.fail(route, { output: 1 })).status).toBe(403);
  });

  it("decides on approvals of their calls only", async () => {
    const waiting = { kind: "builtin", state: "awaiting_approval" } as const;
    const parts = [openCall("a", "restart_db", waiting), openCall("b", "exec", waiting)];
    const { runner, chatId } = await park(parts, { scopes: ["approvals:decide"], only });
    const decide = (...ids: string[]) => ({
      decisions: ids.map((id) => ({ tool_call_id: id, decision: "reject" })),
    });
    const route = `POST /chats/${chatId}/approvals`;
    for (const ids of [["b"], ["a", "b"]]) {
      expect((await runner.fail(route, decide(...ids))).problem.detail).toContain('"exec"');
    }
    expect((await runner.call(route, decide("a"))).status).toBe(204);
  });
});

describe("the question of an MCP server", () => {
  const asking = {
    ...openCall("a", "crm_delete", { kind: "mcp" }),
    elicitations: [{ message: "Delete the contact?", requested_schema: { type: "object" } }],
  };
  const answer = { output: { action: "decline" } };

  it("is not answered without the scope for decisions", async () => {
    const { runner, chatId } = await park([asking], {});
    const route = `POST /chats/${chatId}/tool-calls/a/result`;
    const { problem } = await runner.fail(route, answer);
    expect(problem).toMatchObject({ status: 403 });
    expect(problem.detail).toMatch(/"approvals:decide".*"calls:answer"/);
  });

  it("is answered with both", async () => {
    const scopes: ApiKeyScope[] = ["calls:answer", "approvals:decide"];
    const { runner, chatId } = await park([asking], { scopes });
    const { status } = await runner.call(`POST /chats/${chatId}/tool-calls/a/result`, answer);
    expect(status).toBe(204);
  });
});
