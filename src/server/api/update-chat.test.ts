import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import { MAX_DYNAMIC_TOOLS, MAX_LABELS } from "@/contract/limits";
import { replaceOwnTools } from "@/server/tools/group-tools";
import { createContext } from "@/test/chat-fixture";
import { createApiFixture, createClient, ORIGIN } from "@/test/api-client";
import { readWholeHistory } from "@/test/chat-probe";
import { commitAnswer } from "@/test/park-chat";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture, type TurnSetup } from "@/test/turn-fixture";

const { db, api, client } = await createApiFixture();

const NUMBER = { type: "number" };
const STRING = { type: "string" };
const DEPLOY = { name: "deploy", description: "Old", output_schema: NUMBER, timeout_seconds: 600 };

const patch = async (id: string, fields: object, headers?: Record<string, string>) => {
  const answer = await client.call(`PATCH /chats/${id}`, fields, headers);
  return { ...answer, chat: answer.body as Chat };
};
const read = async (id: string): Promise<Chat> =>
  (await client.call(`GET /chats/${id}`)).body as Chat;
const submit = (id: string, output: unknown) =>
  client.call(`POST /chats/${id}/tool-calls/call-0/result`, { output });
const callDeploy = [...toolCallParts("call-0", "deploy", {}), finishPart("tool-calls")];
/** A chat of the client with a turn that a test runs. */
const startTurn = (setup: TurnSetup) =>
  createTurnFixture({ ...setup, ctx: createContext(db, client.userId) });

describe("PATCH of instructions, tools and the time limit", () => {
  it("counts from the next step on", async () => {
    const turn = await startTurn({
      systemPrompt: "Be brief.",
      dynamicTools: [DEPLOY],
      steps: [callDeploy, textStep("done")],
    });
    await turn.run();
    const { chat } = await patch(turn.chatId, {
      system_prompt: "Be long.",
      dynamic_tools: [{ name: "measure" }],
      action_timeout_seconds: 120,
    });
    expect(chat.system_prompt).toBe("Be long.");
    expect(chat.dynamic_tools).toEqual([{ name: "measure" }]);
    expect((await submit(turn.chatId, 1)).status).toBe(204);
    await turn.run();
    const [first, second] = turn.model.requests.map((request) => JSON.stringify(request));
    expect(first).toContain("Be brief.");
    expect(second).toContain("Be long.");
    expect(second).toContain("measure");
    expect((await patch(turn.chatId, { system_prompt: null })).chat.system_prompt).toBeNull();
  });

  it("leaves an open call with what it was made with, until it has its result", async () => {
    const turn = await startTurn({
      dynamicTools: [DEPLOY],
      steps: [callDeploy, textStep("done")],
    });
    await turn.run();
    const before = (await read(turn.chatId)).required_action;
    expect(before?.tool_calls[0]).toMatchObject({ description: "Old", output_schema: NUMBER });
    const changed = { ...DEPLOY, description: "New", output_schema: STRING, timeout_seconds: 10 };
    await patch(turn.chatId, { dynamic_tools: [changed], action_timeout_seconds: 10 });
    expect((await read(turn.chatId)).required_action).toEqual(before);
    const refused = await submit(turn.chatId, "text");
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining("output_schema"),
    ]);
    await patch(turn.chatId, { dynamic_tools: [] });
    expect((await read(turn.chatId)).required_action).toEqual(before);
    expect((await submit(turn.chatId, 7)).status).toBe(204);
    const [call] = (await readWholeHistory(db, turn.chatId)).at(-1)?.parts ?? [];
    expect(call).toMatchObject({ output: 7, definition: null });
  });

  it("leaves a call with it that is made while the tools change", async () => {
    const turn: TurnFixture = await startTurn({
      dynamicTools: [DEPLOY],
      steps: [
        () => [
          patch(turn.chatId, {
            dynamic_tools: [{ ...DEPLOY, output_schema: STRING, timeout_seconds: 10 }],
          }),
          ...callDeploy,
        ],
        textStep("done"),
      ],
    });
    await turn.run();
    const { required_action: action } = await read(turn.chatId);
    expect(action?.tool_calls[0]?.output_schema).toEqual(NUMBER);
    const [call] = (await readWholeHistory(db, turn.chatId)).at(-1)?.parts ?? [];
    expect(call).toMatchObject({ definition: { timeout_seconds: 600 } });
  });

  it("warns of what is not offered", async () => {
    const id = await client.startChat({ dynamic_tools: [{ name: "a" }] });
    const { chat } = await patch(id, { dynamic_tools: [{ name: "current_time" }] });
    expect(chat.dynamic_tools).toEqual([{ name: "current_time" }]);
    expect(chat.warnings.join()).toContain("current_time");
    expect((await patch(id, { dynamic_tools: [] })).chat.warnings).toEqual([]);
  });

  it("keeps the tools of groups, unless their name is taken, and has room for all or changes nothing", () => {
    const ofGroup = (name: string, group = "g") => ({ name, group });
    const before = {
      groupNames: ["g"],
      dynamicTools: [{ name: "own" }, ofGroup("b"), ofGroup("c")],
    };
    expect(replaceOwnTools(before, [{ name: "b" }])).toEqual([{ name: "b" }, ofGroup("c")]);
    const many = Array.from({ length: MAX_DYNAMIC_TOOLS }, (_, index) => ({ name: `t${index}` }));
    expect(replaceOwnTools(before, many)).toBeUndefined();
    expect(replaceOwnTools({ ...before, groupNames: [] }, many)).toEqual(many);
  });
});

describe("labels_merge", () => {
  it("sets and removes labels, and leaves others", async () => {
    const id = await client.startChat({ labels: { a: "1", b: "2" } });
    const { chat } = await patch(id, { labels_merge: { b: null, c: "3", missing: null } });
    expect(chat.labels).toEqual({ a: "1", c: "3" });
  });

  it("of many requests at once loses none", async () => {
    const id = await client.startChat();
    const keys = Array.from({ length: 10 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => patch(id, { labels_merge: { [key]: "x" } })));
    expect(Object.keys((await read(id)).labels).sort()).toEqual(keys);
  });

  it.each([
    ["with labels", { labels: {}, labels_merge: {} }, "/labels_merge"],
    [
      "with too many",
      {
        labels_merge: Object.fromEntries(
          Array.from({ length: MAX_LABELS }, (_, index) => [`k${index}`, ""]),
        ),
      },
      "/labels_merge",
    ],
    ["with a number", { labels_merge: { a: 1 } }, "/labels_merge/a"],
    ["with a long text", { labels_merge: { a: "x".repeat(10_000) } }, "/labels_merge/a"],
    [
      "with a tool twice",
      { dynamic_tools: [{ name: "a" }, { name: "a" }] },
      "/dynamic_tools/1/name",
    ],
    ["with a time of 0", { action_timeout_seconds: 0 }, "/action_timeout_seconds"],
    ["with NUL", { system_prompt: "\0" }, "/system_prompt"],
  ])("%s is refused, and changes nothing", async (_, fields, pointer) => {
    const id = await client.startChat({ labels: { a: "1" } });
    const before = await read(id);
    const { status, problem } = await client.fail(`PATCH /chats/${id}`, fields);
    expect([status, problem.errors?.[0]?.pointer]).toEqual([400, pointer]);
    expect(await read(id)).toEqual(before);
  });
});

describe("If-Match", () => {
  const ifMatch = (tag: string) => ({ "if-match": tag });

  it("lets one of two writers win, by the ETag that both have read", async () => {
    const id = await client.startChat();
    const etag = (await client.call(`GET /chats/${id}`)).headers.get("etag") ?? "";
    expect(etag).toBe('"1"');
    const answers = await Promise.all(
      ["a", "b"].map((title) => patch(id, { title }, ifMatch(etag))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won] = answers.filter(({ status }) => status === 200);
    const [lost] = answers.filter(({ status }) => status === 409);
    expect(won?.headers.get("etag")).toBe('"2"');
    expect(lost?.body).toMatchObject({ reason: "version_mismatch" });
    expect(lost?.headers.get("x-should-retry")).toBe("false");
    expect((await read(id)).title).toBe(won?.chat.title);
  });

  it("* matches any version", async () => {
    const id = await client.startChat();
    expect((await patch(id, { title: "x" }, ifMatch("*"))).status).toBe(200);
  });

  it.each(["1", '"a"', 'W/"1"', '"1", "2"', '""', '"-1"', '"99999999999999"', '"4294967296"'])(
    "%s is refused",
    async (tag) => {
      const id = await client.startChat();
      expect((await patch(id, { title: "x" }, ifMatch(tag))).status).toBe(400);
      expect((await read(id)).version).toBe(1);
    },
  );

  it("of a chat of another person is 404", async () => {
    const other = await createClient(db, api);
    const id = await client.startChat();
    const sent = await other.fail(`PATCH /chats/${id}`, { title: "x" }, ifMatch('"9"'));
    expect(sent.status).toBe(404);
  });

  it("is if_version in a procedure, and cannot be given twice", async () => {
    const id = await client.startChat();
    const response = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/chats.update`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
        body: JSON.stringify({ chat_id: id, title: newId(), if_version: 7 }),
      }),
    );
    expect(await response.text()).toContain("version_mismatch");
    const twice = await patch(id, { title: "x", if_version: 1 }, ifMatch('"1"'));
    expect(twice.status).toBe(400);
    await commitAnswer(db, id, { parts: [{ type: "text", text: "x" }], after: "finish" });
    expect((await patch(id, { title: "x", if_version: 1 })).status).toBe(409);
  });
});

describe("model_id", () => {
  const createModel = async (enabled = true) => {
    const name = `m/${newId()}`;
    const { id } = await db.prisma.model.create({
      data: { id: newId(), provider: "demo", model: name, name, enabled },
    });
    return { id, name: `demo/${name}` };
  };

  it("is an id, or the provider and the model", async () => {
    const { id, name } = await createModel();
    const chatId = await client.startChat({ model_id: name });
    expect((await read(chatId)).model_id).toBe(id);
    const other = await createModel();
    expect((await patch(chatId, { model_id: other.name })).chat.model_id).toBe(other.id);
    await commitAnswer(db, chatId, { parts: [{ type: "text", text: "x" }], after: "finish" });
    expect((await client.call(`POST /chats/${chatId}/regenerate`, { model_id: name })).status).toBe(
      202,
    );
    expect((await read(chatId)).model_id).toBe(id);
    await commitAnswer(db, chatId, { parts: [{ type: "text", text: "x" }], after: "finish" });
    const sent = { content: "more", model_id: other.name };
    expect((await client.call(`POST /chats/${chatId}/messages`, sent)).status).toBe(200);
    expect((await read(chatId)).model_id).toBe(other.id);
  });

  it.each(["demo", "demo/", "/x", "demo/unknown", `demo/${"x".repeat(300)}`, "%/%", newId()])(
    "%s is refused, and changes nothing",
    async (model_id) => {
      const id = await client.startChat();
      const before = await read(id);
      for (const [route, fields] of [
        ["POST /chats", { content: "x" }],
        [`PATCH /chats/${id}`, {}],
        [`POST /chats/${id}/messages`, { content: "x" }],
      ] as const) {
        const { status, problem } = await client.fail(route, { ...fields, model_id });
        expect([status, problem.errors?.[0]?.pointer]).toEqual([400, "/model_id"]);
      }
      expect(await read(id)).toEqual(before);
    },
  );

  it("of a model that is disabled is refused", async () => {
    const { name } = await createModel(false);
    expect((await client.fail("POST /chats", { content: "x", model_id: name })).status).toBe(400);
  });
});
