import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import {
  MAX_BODY_BYTES,
  MAX_OUTPUT_LENGTH,
  MAX_RESULTS_BODY_BYTES,
  MAX_TEXT_LENGTH,
} from "@/contract/limits";
import { Problem } from "@/contract/problem";
import { createApiFixture, createTestApi } from "@/test/api-client";
import { replaceModels } from "@/test/database-doubles";
import { commitAnswer, openCall } from "@/test/park-chat";

const { db, api, client } = await createApiFixture();

const COUNT = {
  name: "test-count-rows",
  text: `SELECT (SELECT count(*)::int FROM chat WHERE owner_id = $1) AS chats,
    (SELECT count(*)::int FROM message m JOIN chat c ON c.id = m.chat_id WHERE c.owner_id = $1) AS messages`,
};
const countRows = () => db.query(COUNT, [client.userId]);

const nested = (depth: number): object => (depth === 0 ? {} : { properties: nested(depth - 1) });
const tool = (fields: object = {}) => ({ name: "deploy", ...fields });
const tools = (count: number) =>
  Array.from({ length: count }, (_, index) => tool({ name: `tool_${index}` }));

describe("POST /chats rejects without writing and points to the error", () => {
  const cases: [
    what: string,
    body: string | Uint8Array | object,
    pointer: string,
    message: RegExp,
  ][] = [
    ["invalid JSON", "{", "", /JSON/],
    ["an array instead of an object", "[]", "", /object/],
    ["invalid UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "", /UTF-8/],
    ["missing content", {}, "/content", /required/],
    ["content of the wrong type", { content: 7 }, "/content", /^must be a string or an array$/],
    ["empty content", { content: [] }, "/content", /at least one part/],
    ["blank content", { content: " \n" }, "/content", /blank/],
    ["a blank part", { content: [{ type: "text", text: "" }] }, "/content/0/text", /blank/],
    ["an unknown part", { content: [{ type: "smell" }] }, "/content/0/type", /"text"/],
    ["an unknown field", { content: "x", colour: 1 }, "/colour", /not a known field/],
    [
      "a text that is too long",
      { content: "x".repeat(MAX_TEXT_LENGTH + 1) },
      "/content",
      /at most 200000/,
    ],
    ["a NUL character", { content: "a\0b" }, "/content", /NUL/],
    ["a lone surrogate", '{"content":"\\ud800"}', "/content", /surrogate/],
    [
      "a lone surrogate in a label",
      '{"content":"x","labels":{"a":"\\udfff"}}',
      "/labels/a",
      /surrogate/,
    ],
    [
      "251 tools",
      { content: "x", dynamic_tools: tools(251) },
      "/dynamic_tools",
      /at most 250 tools/,
    ],
    [
      "a tool without a name",
      { content: "x", dynamic_tools: [{}] },
      "/dynamic_tools/0/name",
      /required/,
    ],
    [
      "a tool with an invalid name",
      { content: "x", dynamic_tools: [tool({ name: "a b" })] },
      "/dynamic_tools/0/name",
      /letters/,
    ],
    [
      "two tools with the same name",
      { content: "x", dynamic_tools: [tool(), tool()] },
      "/dynamic_tools/1/name",
      /twice/,
    ],
    [
      "a schema that is too deep",
      { content: "x", dynamic_tools: [tool({ input_schema: nested(33) })] },
      "/dynamic_tools/0/input_schema",
      /deep/,
    ],
    [
      "a schema that is too large",
      { content: "x", dynamic_tools: [tool({ input_schema: { title: "x".repeat(70_000) } })] },
      "/dynamic_tools/0/input_schema",
      /bytes/,
    ],
    ["an invalid model id", { content: "x", model_id: "best" }, "/model_id", /provider\/model/],
    ["an unknown model", { content: "x", model_id: newId() }, "/model_id", /no enabled model/],
    [
      "a timeout out of range",
      { content: "x", action_timeout_seconds: 9 },
      "/action_timeout_seconds",
      /at least 10/,
    ],
    ["a fraction instead of an integer", { content: "x", max_steps: 1.5 }, "/max_steps", /int/],
  ];
  it.each(cases)("%s", async (_, body, pointer, message) => {
    const before = await countRows();

    const { status, problem, headers } = await client.fail("POST /chats", body);

    expect(status).toBe(400);
    expect(Problem.parse(problem)).toMatchObject({ status: 400, code: "invalid" });
    expect(problem.request_id).toBe(headers.get("x-request-id"));
    const error = problem.errors?.find((candidate) => candidate.pointer === pointer);
    expect(error?.message, JSON.stringify(problem)).toMatch(message);
    expect(await countRows()).toEqual(before);
  });

  it("accepts 250 tools, including deep and unusual schemas", async () => {
    const dynamic_tools = [
      ...tools(248),
      tool({ input_schema: nested(31) }),
      tool({ name: "unusual", input_schema: null, output_schema: false }),
    ];
    const { status, body } = await client.call("POST /chats", { content: "x", dynamic_tools });
    expect(status).toBe(201);
    expect(body).toMatchObject({ dynamic_tools });
  });

  it("preserves NUL characters in a tool's schema", async () => {
    const dynamic_tools = [tool({ input_schema: { title: "a\0b", "k\0": ["\0"] } })];
    const { status, body } = await client.call("POST /chats", { content: "x", dynamic_tools });
    expect(status).toBe(201);
    const { id } = body as { id: string };
    expect((await client.call(`GET /chats/${id}`)).body).toMatchObject({ dynamic_tools });
  });

  it("preserves Unicode noncharacters", async () => {
    // The first three are the ones with which nul.ts encodes NUL.
    const noncharacters = "\uFDD0\uFDD1 \uFDD0\uFDD2 \uFDD0";
    const text = { title: noncharacters, labels: { [noncharacters]: noncharacters } };
    const created = await client.call("POST /chats", {
      content: `slow 1s ${noncharacters}`,
      system_prompt: noncharacters,
    });
    const { id } = created.body as { id: string };
    await client.call(`PATCH /chats/${id}`, text);
    await client.call(
      `POST /chats/${id}/messages`,
      { content: noncharacters },
      { "idempotency-key": "unusual" },
    );
    expect((await client.call(`GET /chats/${id}`)).body).toMatchObject({
      ...text,
      system_prompt: noncharacters,
    });
    expect((await client.call(`GET /chats/${id}/messages`)).body).toMatchObject({
      data: [{ parts: [{ text: `slow 1s ${noncharacters}` }] }],
      queued: [{ content: [{ text: noncharacters }] }],
    });
    const query = `q=${encodeURIComponent(noncharacters)}&label=${encodeURIComponent(noncharacters)}`;
    expect((await client.call(`GET /chats?${query}`)).body).toMatchObject({ data: [{ id }] });
    const again = { "idempotency-key": "unusual" };
    const repeated = await client.call(
      `POST /chats/${id}/messages`,
      { content: noncharacters },
      again,
    );
    expect(repeated.body).toMatchObject({ queued_message: { content: [{ text: noncharacters }] } });
  });

  it("rejects a body over the size limit", async () => {
    const body = { content: "x".repeat(MAX_BODY_BYTES) };
    const { status, problem } = await client.fail(`POST /chats/${newId()}/messages`, body);
    expect(status).toBe(413);
    expect(problem.code).toBe("payload_too_large");
  });

  it("stops reading a body of unknown length at the size limit", async () => {
    let sent = 0;
    const infinite = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const request = new Request(client.request(`POST /chats/${newId()}/messages`), {
      body: infinite,
      duplex: "half",
    } as RequestInit);
    const response = await api.api.handleRest(request);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(2 * MAX_BODY_BYTES);
  });

  it("rejects a content type other than JSON", async () => {
    const headers = { "content-type": "text/plain" };
    const { status, problem } = await client.fail("POST /chats", { content: "x" }, headers);
    expect(status).toBe(400);
    expect(problem.detail).toContain("application/json");
  });
});

describe("routes", () => {
  it.each([
    "GET /nothing",
    "GET /",
    "GET /chats/",
    "GET /chats//messages",
    "GET /chats/%E0%A4%A/messages",
    "POST /chats/a/b/c/d",
  ])("responds to %s with 404", async (route) => {
    expect((await client.fail(route)).status).toBe(404);
  });

  it("lists the allowed methods for a wrong one", async () => {
    const { status, headers, problem } = await client.fail("PUT /chats");
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("POST, GET");
    expect(problem).toMatchObject({ status: 405, title: "Method Not Allowed" });
  });

  it("requires an API key or a session", async () => {
    for (const authorization of ["", "Bearer wrong", "Basic eDp5"]) {
      const answer = await client.fail("GET /chats", undefined, { authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it("uses the client's request id if it is valid", async () => {
    const id = "job-17.3";
    const given = await client.fail("GET /nothing", undefined, { "x-request-id": id });
    expect(given.problem.request_id).toBe(id);
    const bad = await client.fail("GET /nothing", undefined, { "x-request-id": "a b" });
    expect(bad.problem.request_id).not.toBe("a b");
  });
});

describe("query parameters", () => {
  it.each([
    ["GET /chats?limit=0", "/limit"],
    ["GET /chats?limit=201", "/limit"],
    ["GET /chats?limit=many", "/limit"],
    ["GET /chats?archived=maybe", "/archived"],
    ["GET /chats?status=tired", "/status"],
    ["GET /chats?limit=1&limit=2", "/limit"],
    ["GET /chats?colour=red", "/colour"],
    ["GET /chats?q=%00", "/q"],
  ])("%s", async (route, pointer) => {
    const { status, problem } = await client.fail(route);
    expect(status).toBe(400);
    expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it("rejects an invalid cursor", async () => {
    for (const cursor of ["x", "%00", "e30"]) {
      expect((await client.fail(`GET /chats?cursor=${cursor}`)).status).toBe(400);
    }
  });

  it("returns an empty page after the last message", async () => {
    const id = await client.startChat();
    const { status, body } = await client.call(`GET /chats/${id}/messages?after=${2 ** 40}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], has_more: false });
  });
});

describe("tool results", () => {
  const park = async (): Promise<string> => {
    const schema = { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } };
    const id = await client.startChat({
      dynamic_tools: [tool({ output_schema: schema }), tool({ name: "free" })],
    });
    const parts = [openCall("call_a", "deploy"), openCall("call_b", "free")];
    await commitAnswer(db, id, { parts, after: "park" });
    return id;
  };
  const result = (tool_call_id: string, output: unknown = { ok: true }) => ({
    tool_call_id,
    output,
  });

  it("accepts all that 128 calls can ask for in one body", async () => {
    const id = await client.startChat({ dynamic_tools: [tool({ name: "free" })] });
    const ids = Array.from({ length: 128 }, (_, index) => `call_${index}`);
    await commitAnswer(db, id, { parts: ids.map((each) => openCall(each, "free")), after: "park" });
    const body = { results: ids.map((each) => result(each, "x".repeat(65_000))) };
    expect((await client.call(`POST /chats/${id}/tool-results`, body)).status).toBe(204);
  });

  it("names a result that is too long", async () => {
    const id = await park();
    const results = [result("call_a", "x".repeat(MAX_OUTPUT_LENGTH)), result("call_b")];
    const { status, problem } = await client.fail(`POST /chats/${id}/tool-results`, { results });
    expect(status).toBe(413);
    expect(problem.errors).toMatchObject([
      { pointer: "/results/0/output", message: expect.stringMatching(/longer than/) as string },
    ]);
  });

  it.each<[string, string | object]>([
    ["invalid JSON", "nonsense"],
    ["missing results", {}],
    ["empty results", { results: [] }],
    ["a missing output", { results: [{ tool_call_id: "call_a" }] }],
    ["a lone surrogate", '{"results":[{"tool_call_id":"call_a","output":["\\ud800"]}]}'],
  ])("rejects %s with 400 before reading the chat", async (_, body) => {
    expect((await client.fail(`POST /chats/${newId()}/tool-results`, body)).status).toBe(400);
  });

  it("rejects a body over the size limit with 413", async () => {
    const results = [result("call_a", "x".repeat(MAX_RESULTS_BODY_BYTES))];
    const route = `POST /chats/${newId()}/tool-results`;
    expect((await client.fail(route, { results })).status).toBe(413);
  });

  it("rejects a content type other than JSON", async () => {
    const headers = { "content-type": "text/plain" };
    const { status } = await client.fail(`POST /chats/${newId()}/tool-results`, "{}", headers);
    expect(status).toBe(400);
  });

  it("conflict without retry for a chat that is not parked", async () => {
    const id = await client.startChat();
    const body = { results: [result("call_a")] };
    const { status, problem, headers } = await client.fail(`POST /chats/${id}/tool-results`, body);
    expect(status).toBe(409);
    expect(problem.detail).toContain("pending");
    expect(headers.get("x-should-retry")).toBe("false");
  });

  it.each<[string, object[], string]>([
    ["a repeated id", [result("call_a"), result("call_a"), result("call_b")], "call_a"],
    ["missing ids", [result("call_x")], "call_a, call_b"],
    ["unknown ids", ["z", "call_a", "call_b", "y"].map((id) => result(id)), "y, z"],
    ["an output that violates its schema", [result("call_a", 1), result("call_b")], "call_a"],
  ])("are rejected for %s, with the ids and without a change", async (_, results, ids) => {
    const id = await park();
    const { status, problem } = await client.fail(`POST /chats/${id}/tool-results`, { results });
    expect(status).toBe(400);
    expect(problem.detail).toContain(`: ${ids}.`);
    const { body } = await client.call(`GET /chats/${id}`);
    expect(body).toMatchObject({ status: "requires_action" });
  });

  it.each([[null], [false], [0], [""], [[]], [{}], ["a\0b"], [{ "k\0": "\0" }]])(
    "accept %j as output",
    async (output) => {
      const id = await park();
      const results = [result("call_a"), result("call_b", output)];
      const { status } = await client.call(`POST /chats/${id}/tool-results`, { results });
      expect(status).toBe(204);
      const { body } = await client.call(`GET /chats/${id}/messages`);
      const { data } = body as { data: { parts: object[] }[] };
      expect(data[1]?.parts[1]).toMatchObject({ state: "completed", output, is_error: false });
    },
  );
});

describe("internal errors", () => {
  it("are hidden from the client and logged with the request id", async () => {
    const findMany = () => Promise.reject(new Error("password=hunter2"));
    const broken = replaceModels(db, { model: { findMany } });
    const test = createTestApi(broken);
    const request = client.request("GET /models");
    const response = await test.api.handleRest(request);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain("hunter2");
    const { request_id } = JSON.parse(text) as Problem;
    expect(test.faults).toMatchObject([
      { requestId: request_id, err: { message: "password=hunter2" } },
    ]);
  });
});
