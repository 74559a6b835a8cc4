import { beforeAll, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "@/contract/limits";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";

let test: TestApi;
let writer: TestClient;
let reader: TestClient;
beforeAll(async () => {
  const db = await testDatabase();
  test = createTestApi(db);
  writer = await createClient(db, test, { scopes: ["chat"] });
  reader = await createClient(db, test, { scopes: ["read"] });
});

const UNKNOWN = "0199c6f0-0000-7000-8000-000000000000";
const NO_KEY = { authorization: "" };
const NO_JSON = { "content-type": "text/plain" };
const MALFORMED = { "idempotency-key": "a b" };
const USED = { "idempotency-key": "used" };
const LARGE = "x".repeat(MAX_BODY_BYTES + 1);

it("all operations refuse in the order that the document says", async () => {
  const sent = await writer.call("POST /chats", { content: "x" }, USED);
  expect(sent.status).toBe(201);
  const send = async (
    client: TestClient,
    route: string,
    { body, headers }: { body: string; headers: Record<string, string> },
  ): Promise<number> => (await client.fail(route, body, headers)).status;
  const messages = `POST /chats/${UNKNOWN}/messages`;
  // Each is refused for the next reason once the first one is gone.
  const statuses = [
    await send(reader, "POST /nothing", { body: LARGE, headers: { ...NO_KEY, ...NO_JSON } }),
    await send(reader, "PUT /chats", { body: LARGE, headers: { ...NO_KEY, ...NO_JSON } }),
    await send(reader, "POST /chats", { body: LARGE, headers: { ...NO_KEY, ...NO_JSON } }),
    await send(reader, "POST /chats", { body: LARGE, headers: { ...NO_JSON, ...MALFORMED } }),
    await send(writer, "POST /chats", { body: LARGE, headers: { ...NO_JSON, ...MALFORMED } }),
    await send(writer, messages, { body: LARGE, headers: MALFORMED }),
    await send(writer, "POST /chats", { body: "{", headers: MALFORMED }),
    await send(writer, "POST /chats", { body: "{}", headers: MALFORMED }),
    await send(writer, "POST /chats", { body: "{}", headers: USED }),
    await send(writer, messages, { body: "{}", headers: {} }),
    await send(writer, messages, { body: '{"content":"x"}', headers: {} }),
  ];
  expect(statuses).toEqual([404, 405, 401, 403, 400, 413, 400, 400, 422, 400, 404]);
});
