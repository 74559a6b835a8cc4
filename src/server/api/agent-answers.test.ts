import { v7 as newId } from "uuid";
import { beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { Database } from "@/server/db/connection/database";
import { startTestAgent } from "@/test/agent-fixture";
import { createApiFixture, createClient, createTestApi, type TestClient } from "@/test/api-client";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { commitAnswer, openCall } from "@/test/park-chat";

const { db, api, client } = await createApiFixture();

type State = "awaiting_result" | "awaiting_approval";

const park = (id: string, state: State = "awaiting_result") =>
  commitAnswer(db, id, { parts: [openCall("call", "ask", { state })], after: "park" });

const startRoot = async (by: TestClient = client): Promise<string> => {
  const id = await by.startChat();
  await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
  return id;
};

/** An agent that waits for the same call as every other one. */
const startParked = async (chatId: string, state?: State): Promise<string> => {
  const id = await startTestAgent(db, { chatId, title: "Read it" });
  await park(id, state);
  return id;
};

const result = (chatId?: string, output: unknown = "yes") => ({
  tool_call_id: "call",
  output,
  ...(chatId !== undefined && { chat_id: chatId }),
});
const approve = (chatId?: string, more: object = {}) => ({
  tool_call_id: "call",
  decision: "approve",
  ...more,
  ...(chatId !== undefined && { chat_id: chatId }),
});
const refuse = async (route: string, body: object, by: TestClient = client) =>
  (await by.fail(route, body)).problem;

const getAnswer = async (chatId: string) => (await readWholeHistory(db, chatId)).at(-1)?.parts[0];
const getVersions = async (ids: string[]) =>
  Promise.all(ids.map(async (id) => (await readChat(db, id)).version));

/** A database that fails to write the answers of one chat. */
const failAtChat = (database: Database, chatId: string): Database => ({
  ...database,
  transaction: (run) =>
    database.transaction((tx) =>
      run({
        ...tx,
        query: (statement, values) =>
          statement.changesChat && JSON.stringify(values).includes(chatId)
            ? Promise.reject(new Error("died"))
            : tx.query(statement, values),
      }),
    ),
});

let root: string;
let one: string;
let two: string;
let results: string;
let approvals: string;

describe.each(["awaiting_result", "awaiting_approval"] as const)(
  "agents with calls %s",
  (state) => {
    const isResult = state === "awaiting_result";
    const route = () => (isResult ? results : approvals);
    const body = (...ids: (string | undefined)[]): Record<string, object[]> =>
      isResult
        ? { results: ids.map((id) => result(id)) }
        : { decisions: ids.map((id) => approve(id)) };
    const list = isResult ? "results" : "decisions";

    beforeEach(async () => {
      root = await startRoot();
      one = await startParked(root, state);
      two = await startParked(root, state);
      results = `POST /chats/${root}/tool-results`;
      approvals = `POST /chats/${root}/approvals`;
    });

    it("are answered one by one, and the chat no longer shows what was answered", async () => {
      expect((await client.call(route(), body(one))).status).toBe(204);
      expect((await readChat(db, one)).status).toBe("pending");
      const { body: chat } = await client.call(`GET /chats/${root}`);
      expect((chat as Chat).child_actions.map(({ chat_id: id }) => id)).toEqual([two]);
    });

    it("are answered in one request", async () => {
      expect((await client.call(route(), body(two, one.toUpperCase()))).status).toBe(204);
      for (const id of [one, two]) expect((await readChat(db, id)).status).toBe("pending");
    });

    it("are answered together with the chat itself", async () => {
      await client.call(`POST /chats/${root}/messages`, { content: "And?" });
      await park(root, state);
      const before = await getVersions([two]);
      expect((await client.call(route(), body(root, one))).status).toBe(204);
      expect(await getVersions([two])).toEqual(before);
      for (const id of [root, one]) expect((await readChat(db, id)).status).toBe("pending");
    });

    it("keep their calls if one of them was answered elsewhere", async () => {
      const own = isResult ? "tool-results" : "approvals";
      await client.call(`POST /chats/${one}/${own}`, body(undefined));
      const before = await getVersions([root, one, two]);
      const alone = await refuse(route(), body(one));
      expect(alone).toMatchObject({ status: 409, code: "conflict" });
      expect(alone.detail).toMatch(/^It has been answered elsewhere/);
      const both = await refuse(route(), body(two, one));
      expect(both).toMatchObject({ status: 409, code: "conflict" });
      expect(both.detail).toContain(`"${one}": It has been answered elsewhere`);
      expect(both.detail).not.toContain(two);
      expect(both.errors?.map(({ pointer }) => pointer)).toEqual([`/${list}/1`]);
      expect(await getVersions([root, one, two])).toEqual(before);
    });

    it("refuse a call that is not theirs, in the place of the entry", async () => {
      const [first, second] = body(one, two)[list] ?? [];
      const wrong = { ...second, tool_call_id: "other" };
      const before = await getVersions([one, two]);
      const problem = await refuse(route(), { [list]: [first, wrong] });
      expect(problem).toMatchObject({ status: 400, code: "invalid" });
      expect(problem.detail).toContain(`"${two}"`);
      const wanted = isResult ? "/results" : "/decisions/1/tool_call_id";
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([wanted]);
      expect(await getVersions([one, two])).toEqual(before);
    });

    it("answer every id that is no agent of the chat alike, and change nothing", async () => {
      const stranger = await createClient(db, api);
      const foreign = await startParked(await startRoot(stranger), state);
      const ofOther = await startParked(await startRoot(), state);
      const deleted = await startParked(root, state);
      await db.prisma.chat.delete({ where: { id: deleted } });
      const ids = [foreign, ofOther, deleted, await startRoot(), newId()];
      const before = await getVersions([one, foreign, ofOther]);
      for (const id of ids) {
        const problem = await refuse(route(), body(one, id));
        expect({ ...problem, request_id: "" }).toEqual({
          type: "about:blank",
          title: "Not Found",
          status: 404,
          code: "not_found",
          request_id: "",
          detail: `The chat has no agent "${id}".`,
          errors: [{ pointer: `/${list}/1/chat_id`, message: "is no agent of the chat" }],
        });
      }
      expect(await getVersions([one, foreign, ofOther])).toEqual(before);
      const unknown = await refuse(route(), body(one), stranger);
      expect(unknown).toMatchObject({ status: 404, detail: `There is no chat "${root}".` });
    });

    it("take answers for themselves only", async () => {
      const own = `POST /chats/${one}/${isResult ? "tool-results" : "approvals"}`;
      const before = await getVersions([one, two]);
      for (const id of [two, root, newId()]) {
        const problem = await refuse(own, body(one, id));
        expect(problem).toMatchObject({ status: 400, code: "invalid" });
        expect(problem.detail).toContain("agent has no agents");
        expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([`/${list}/1/chat_id`]);
      }
      expect(await getVersions([one, two])).toEqual(before);
      expect((await client.call(own, body(one))).status).toBe(204);
    });

    it("are answered by one of several requests that come at once, whatever their order", async () => {
      const requests = Array.from({ length: 8 }, (_, index) =>
        client.call(route(), index % 2 === 0 ? body(one, two) : body(two, one)),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 7 }, () => 409)]);
    });

    it("are all still open if the request dies in between", async () => {
      const key = { "idempotency-key": newId() };
      const before = await getVersions([one, two]);
      const dying = createTestApi(failAtChat(db, two)).api;
      const first = await dying.handleRest(client.request(route(), body(one, two), key));
      expect(first.status).toBe(500);
      expect(await getVersions([one, two])).toEqual(before);
      expect((await client.call(route(), body(one, two), key)).status).toBe(204);
    });

    it("get the answers of a request that is repeated under its key once", async () => {
      const key = { "idempotency-key": newId() };
      const first = await client.call(route(), body(one, two), key);
      const before = await getVersions([one, two]);
      const again = await client.call(route(), body(one, two), key);
      expect([first.status, again.status]).toEqual([204, 204]);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(await getVersions([one, two])).toEqual(before);
    });

    it("have no open call after Stop of the chat", async () => {
      await client.call(`POST /chats/${root}/messages`, { content: "And?" });
      expect((await client.call(`POST /chats/${root}/interrupt`, {})).status).toBe(200);
      expect(await getAnswer(one)).toMatchObject({ state: "cancelled" });
      const own = `POST /chats/${one}/${isResult ? "tool-results" : "approvals"}`;
      for (const problem of [
        await refuse(route(), body(one)),
        await refuse(own, body(undefined)),
      ]) {
        expect(problem).toMatchObject({ status: 409 });
        expect(problem.detail).toMatch(/^It has been answered elsewhere/);
      }
    });
  },
);

describe("results for several agents", () => {
  const MEASURE = [{ name: "ask", output_schema: { type: "object", required: ["value"] } }];

  beforeEach(async () => {
    root = await startRoot();
    one = await startParked(root);
    two = await startParked(root);
    results = `POST /chats/${root}/tool-results`;
    await db.prisma.chat.update({ where: { id: two }, data: { dynamicTools: MEASURE } });
  });

  it("are refused in the place of an output that its schema refuses", async () => {
    const before = await getVersions([one, two]);
    const problem = await refuse(results, { results: [result(one), result(two)] });
    expect(problem).toMatchObject({ status: 400, code: "invalid" });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(["/results/1/output"]);
    expect(await getVersions([one, two])).toEqual(before);
    const fitting = [result(one), result(two, { value: 2 })];
    expect((await client.call(results, { results: fitting })).status).toBe(204);
    expect(await getAnswer(two)).toMatchObject({ state: "completed", output: { value: 2 } });
  });

  it("name each agent that refuses, with the code of the one that has been answered", async () => {
    await client.call(`POST /chats/${two}/interrupt`, {});
    const wrong = { ...result(one), tool_call_id: "other" };
    const problem = await refuse(results, { results: [wrong, result(two)] });
    expect(problem).toMatchObject({ status: 409, code: "conflict" });
    for (const id of [one, two]) expect(problem.detail).toContain(`Chat "${id}": `);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(["/results", "/results/1"]);
  });
});
