import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { operations, streams } from "@/server/api/operations/all-operations";
import { OPERATION_TEXTS } from "@/server/api/operation-texts/all-operation-texts";
import type { Operation } from "@/server/api/operation";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";

let db: Database;
let api: TestApi;
let client: TestClient;
let ids: Record<string, string>;
beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
  // An administrator, so that no operation is refused because of who asks.
  client = await createClient(db, api, { role: "owner" });
  ids = await parkedChat();
});

/** A parked chat with a queued message, so that every operation has something to act on. */
const parkedChat = async (): Promise<Record<string, string>> => {
  const chat_id = await client.startChat({ dynamic_tools: [{ name: "deploy" }] });
  await commitAnswer(db, chat_id, { parts: [openCall("a", "deploy")], after: "park" });
  const { body } = await client.call(`POST /chats/${chat_id}/messages`, { content: "queued" });
  const { body: page } = await client.call(`GET /chats/${chat_id}/messages`);
  return {
    chat_id,
    queued_id: (body as { queued_message: { id: string } }).queued_message.id,
    message_id: (page as { data: { id: string }[] }).data[0]?.id ?? "",
    key_id: "0199c6f0-0000-7000-8000-000000000000",
    rule_id: "0199c6f0-0000-7000-8000-000000000000",
    model_id: "0199c6f0-0000-7000-8000-000000000000",
    server_id: "0199c6f0-0000-7000-8000-000000000000",
    name: "current_time",
  };
};

const STATE = {
  name: "test-fuzz-state",
  text: `SELECT
    (SELECT json_agg(json_build_array(id, version, title, updated_at) ORDER BY id) FROM chat WHERE owner_id = $1) AS chats,
    (SELECT count(*)::int FROM message JOIN chat ON chat.id = chat_id WHERE owner_id = $1) AS messages,
    (SELECT count(*)::int FROM idempotency_key WHERE owner_id = $1) AS answers,
    (SELECT count(*)::int FROM api_key WHERE user_id = $1) AS keys`,
};
const state = () => db.query(STATE, [client.userId]);

const fill = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");

/** What operations that send nothing need besides their path. */
const QUERIES: Record<string, string> = { "messages.search": "?q=x" };

/** Valid bodies, where examples do not fit here. */
const BODIES: Record<string, object> = {
  // Does not wait.
  "toolCalls.claimSome": { holder: "x", tools: ["a"], labels: { a: "b" } },
  "toolCalls.extend": { deadline_at: new Date(Date.now() + 3_600_000).toISOString() },
};

/** A valid body, which `mutate` changes. */
const getBody = ({ name }: Pick<Operation, "name">): object =>
  BODIES[name] ?? OPERATION_TEXTS[name]?.examples?.full ?? {};

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("\0", "a\0b", "\ud800", "\udc00x", "", " ", "__proto__", "x".repeat(2_000)),
);
const junk: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(null, true, -1, 0, 2 ** 31, 2 ** 53, 1e308, [], {}, [[]], [null]),
  fc.dictionary(text, fc.oneof(text, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 3 }),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
);

/** Replaces a value or one of its descendants with junk. */
const mutate = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value !== "object" || value === null) return junk;
  const fields = Object.entries(value).map(([key, field]) =>
    mutate(field).map((replaced) => replaceField(value, key, replaced)),
  );
  const added = fc.tuple(text, junk).map(([key, field]) => replaceField(value, key, field));
  return fc.oneof(junk, added, ...fields);
};

const replaceField = (value: object, key: string, field: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown, index) => (String(index) === key ? field : item))
    : Object.fromEntries([...Object.entries(value), [key, field]]);

const createBody = (operation: Operation): fc.Arbitrary<string | Uint8Array> =>
  fc.oneof(
    { weight: 6, arbitrary: mutate(getBody(operation)).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 50 }) },
  );

const isValid = ({ input, path }: Operation, body: string | Uint8Array): boolean => {
  try {
    const fields = JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString()) as
      object | null;
    if (typeof fields !== "object" || Array.isArray(fields)) return false;
    const names = path.match(/\w+(?=\})/g) ?? [];
    const params = Object.fromEntries(names.map((name) => [name, ids[name]]));
    return !names.some((name) => Object.hasOwn(fields ?? {}, name))
      ? input.safeParse({ ...fields, ...params }).success
      : false;
  } catch {
    return false;
  }
};

const writes = operations.filter(({ method }) => method === "POST" || method === "PATCH");

describe("an invalid body", () => {
  it.each(writes.map((operation) => [operation.name, operation] as const))(
    "is rejected by %s without writing",
    async (_, operation) => {
      const before = await state();
      await fc.assert(
        fc.asyncProperty(createBody(operation), async (body) => {
          fc.pre(!isValid(operation, body));
          const route = `${operation.method} ${fill(operation.path)}`;
          const { status, problem } = await client.fail(route, body);
          expect(status).toBeGreaterThanOrEqual(400);
          expect(status).toBeLessThan(500);
          expect(problem.status).toBe(status);
        }),
        { numRuns: 120 },
      );
      expect(await state()).toEqual(before);
      expect(api.faults).toEqual([]);
    },
  );
});

describe("any request", () => {
  it.each(writes.map((operation) => [operation.name, operation] as const))(
    "%s has no internal error for any body",
    async (_, operation) => {
      await fc.assert(
        fc.asyncProperty(createBody(operation), async (body) => {
          const { status } = await client.call(`${operation.method} ${fill(operation.path)}`, body);
          expect(status).toBeLessThan(500);
        }),
        { numRuns: 80 },
      );
      expect(api.faults).toEqual([]);
    },
  );

  const reads = [...operations.filter(({ method }) => method === "GET"), ...streams];
  it.each(reads.map((operation) => [operation.name, operation] as const))(
    "%s has no internal error for any query",
    async (_, { path }) => {
      const names = ["limit", "cursor", "q", "label", "status", "archived", "before", "after"];
      const value = fc.oneof(text, fc.integer().map(String), fc.constantFrom("1", "true", "a:b"));
      const query = fc.dictionary(fc.oneof(fc.constantFrom(...names), text), value, { maxKeys: 3 });
      await fc.assert(
        fc.asyncProperty(query, async (fields) => {
          const request = client.request(`GET ${fill(path)}?${new URLSearchParams(fields)}`);
          const response = await api.api.handleRest(request);
          await response.body?.cancel();
          expect(response.status).toBeLessThan(500);
        }),
        { numRuns: 60 },
      );
      expect(api.faults).toEqual([]);
    },
  );

  it("unknown ids in paths are 404", async () => {
    // What a PUT names is made.
    const withIds = operations.filter(
      ({ name, path }) => path.includes("{") && name !== "toolsets.put",
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withIds), text, async (operation, id) => {
        fc.pre(id !== "" && id.isWellFormed() && id !== "." && id !== "..");
        const address = operation.path.replace(/\{\w+\}/g, encodeURIComponent(id));
        const path = `${address}${QUERIES[operation.name] ?? ""}`;
        const { status } = await client.fail(
          `${operation.method} ${path}`,
          operation.method === "GET" || operation.method === "DELETE"
            ? undefined
            : getBody(operation),
          { "idempotency-key": "fuzz" },
        );
        expect(status).toBe(404);
      }),
      { numRuns: 150 },
    );
    expect(api.faults).toEqual([]);
  });
});

/** As a header may have it. */
const getHeader = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  arbitrary.map((value) => value.replace(/[^\x20-\x7e\x80-\xff]/g, ""));

describe("a file", () => {
  const form = (name: string): string =>
    `--x\r\ncontent-disposition: form-data; ${name}\r\n\r\nabc\r\n--x--\r\n`;
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    text.map((value) => Buffer.from(value)),
    fc
      .tuple(
        fc.constantFrom(
          form('name="file"; filename="a.csv"'),
          form('name="file"'),
          form('name="chat_id"'),
          form('name="__proto__"; filename="../a"'),
          form('name="file"; filename="a"').repeat(2),
        ),
        fc.nat(160),
        text,
      )
      .map(([whole, at, junk]) => Buffer.from(whole.slice(0, at) + junk + whole.slice(at))),
  );
  const types = getHeader(
    fc.oneof(
      text,
      fc.constantFrom(
        "multipart/form-data; boundary=x",
        "multipart/form-data;",
        "image/png",
        'multipart/form-data; boundary=""',
        "multipart/form-data; boundary=x; boundary=y",
      ),
    ),
  );
  const dispositions = getHeader(
    fc.oneof(
      text,
      fc
        .tuple(fc.constantFrom("filename=", "filename*=UTF-8''", 'filename="'), text)
        .map(([start, name]) => `attachment; ${start}${name}`),
    ),
  );
  const queries = fc.record(
    {
      chat_id: fc.oneof(
        { weight: 3, arbitrary: fc.constant("own") },
        { weight: 1, arbitrary: text },
      ),
      name: text,
      file: text,
      __proto__: text,
    },
    { requiredKeys: [] },
  );
  const countFiles = () => db.prisma.artifact.count({ where: { chatId: ids.chat_id ?? "" } });

  it("is stored or refused, whatever is sent", async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        bodies,
        types,
        dispositions,
        queries,
        async (body, type, disposition, { chat_id, ...query }) => {
          const chat = chat_id === "own" ? ids.chat_id : chat_id;
          const fields = new URLSearchParams({
            ...query,
            ...(chat !== undefined && { chat_id: chat }),
          });
          const before = await countFiles();
          const { status } = await client.call(`POST /files?${fields}`, body, {
            "content-type": type,
            "content-disposition": disposition,
          });
          statuses.add(status);
          expect(status).toBeLessThan(500);
          if (status !== 201) expect(await countFiles()).toBe(before);
        },
      ),
      { numRuns: 300 },
    );
    expect(api.faults).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([201, 400, 404]));
  });

  it("is read whole or in the range that the answer names, whatever is asked for", async () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 251));
    const sent = await client.call(`POST /files?chat_id=${ids.chat_id}&name=a.bin`, bytes);
    const { id } = sent.body as { id: string };
    const place = fc.oneof(
      fc.nat(400).map(String),
      fc.constantFrom("", "-1", "1e2", "9".repeat(40)),
    );
    const ranges = getHeader(
      fc.oneof(
        text,
        fc.tuple(place, place).map(([start, end]) => `bytes=${start}-${end}`),
        fc
          .array(fc.tuple(place, place), { minLength: 2, maxLength: 4 })
          .map((parts) => `bytes=${parts.map((part) => part.join("-")).join(",")}`),
        fc.constantFrom("bytes=", "bytes", "items=0-1", "bytes=0-1 ", "BYTES=0-1"),
      ),
    );
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(ranges, getHeader(text), async (range, condition) => {
        const headers = { range, ...(condition !== "" && { "if-range": condition }) };
        const response = await api.api.handleRest(
          client.request(`GET /files/${id}`, undefined, headers),
        );
        statuses.add(response.status);
        const body = Buffer.from(await response.arrayBuffer());
        const [, start, end] =
          /^bytes (\d+)-(\d+)\/300$/.exec(response.headers.get("content-range") ?? "") ?? [];
        if (response.status === 206) {
          expect(body.equals(bytes.subarray(Number(start), Number(end) + 1))).toBe(true);
        } else if (response.status === 200) {
          expect(body.equals(bytes)).toBe(true);
        } else {
          expect(response.status).toBe(416);
          expect(response.headers.get("content-type")).toBe("application/problem+json");
        }
      }),
      { numRuns: 300 },
    );
    expect([...statuses].toSorted()).toEqual([200, 206, 416]);
    expect(api.faults).toEqual([]);
  });

  it("is not found by an unknown id", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        fc.pre(id !== "" && id.isWellFormed() && id !== "." && id !== "..");
        expect((await client.fail(`GET /files/${encodeURIComponent(id)}`)).status).toBe(404);
      }),
      { numRuns: 60 },
    );
    expect(api.faults).toEqual([]);
  });
});
