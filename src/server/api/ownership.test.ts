import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import { testDatabase } from "@/test/database";

type Document = {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>
  >;
};

let db: Database;
let api: TestApi;
let owner: TestClient;
let stranger: TestClient;
let document: Document;
beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
  // Some routes are for administrators.
  owner = await createClient(db, api, { role: "owner" });
  stranger = await createClient(db, api);
  const response = await api.api.handleRest(new Request("http://parley.test/api/v1/openapi.json"));
  document = (await response.json()) as Document;
});

afterAll(() => db.prisma.setting.deleteMany());

/** A body that is in order, for routes that need one. */
const BODIES: Record<string, object> = {
  "chats.create": { content: "x" },
  "messages.send": { content: "x" },
  "messages.edit": { content: "x" },
  "chats.update": { title: "x" },
  "chats.submitToolResults": { results: [{ tool_call_id: "a", output: 1 }] },
  "chats.decideApprovals": { decisions: [{ tool_call_id: "a", decision: "approve" }] },
  "apiKeys.create": { name: "x" },
  "config.setAdvisor": DEFAULT_ADVISOR_CONFIG,
};

const routes = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      path,
      method: method.toUpperCase(),
      operationId,
    })),
  );

/** Whatever a path needs, of the owner's. */
const owned = async (): Promise<Record<string, string>> => {
  const chat_id = await owner.startChat();
  const { body: page } = await owner.call(`GET /chats/${chat_id}/messages`);
  const { body: sent } = await owner.call(`POST /chats/${chat_id}/messages`, { content: "queued" });
  const { body: keys } = await owner.call("GET /api-keys");
  return {
    chat_id,
    message_id: (page as { data: { id: string }[] }).data[0]?.id ?? "",
    queued_id: (sent as { queued_message: { id: string } }).queued_message.id,
    key_id: (keys as { data: { id: string }[] }).data[0]?.id ?? "",
  };
};

const fill = (path: string, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `no ${name}`);

const COUNT = {
  name: "test-chat-state",
  text: `SELECT version, title, status FROM chat WHERE id = $1::uuid`,
};

describe("every route of the OpenAPI document", () => {
  it("answers: none is unknown, none a fault", async () => {
    expect(document.openapi).toBe("3.1.0");
    expect(routes().length).toBeGreaterThan(20);
    for (const { path, method, operationId } of routes()) {
      const ids = await owned();
      const response = await api.api.handleRest(
        owner.request(
          `${method} ${fill(path, ids)}`,
          method === "GET" || method === "DELETE" ? undefined : (BODIES[operationId] ?? {}),
        ),
      );
      await response.body?.cancel();
      // A conflict with the chat's state is an answer too.
      expect([200, 201, 202, 204, 409], `${method} ${path}`).toContain(response.status);
    }
    expect(api.faults).toEqual([]);
  });

  it("is 404 for somebody else, who changes nothing and learns nothing", async () => {
    const withIds = routes().filter(({ path }) => path.includes("{"));
    expect(withIds.length).toBeGreaterThan(10);
    for (const { path, method, operationId } of withIds) {
      const ids = await owned();
      const before = await db.query(COUNT, [ids.chat_id]);
      const body =
        method === "GET" || method === "DELETE" ? undefined : (BODIES[operationId] ?? {});

      const foreign = await stranger.fail(`${method} ${fill(path, ids)}`, body);

      expect(foreign.status, `${method} ${path}`).toBe(404);
      expect(await db.query(COUNT, [ids.chat_id])).toEqual(before);
      const unknown = Object.fromEntries(
        Object.keys(ids).map((name) => [name, "0199c6f0-0000-7000-8000-000000000000"]),
      );
      const none = await stranger.fail(`${method} ${fill(path, unknown)}`, body);
      const withoutIds = ({ problem }: typeof none, known: Record<string, string>) => ({
        ...problem,
        detail: Object.values(known).reduce((text, id) => text.replaceAll(id, "…"), problem.detail),
        request_id: "",
      });
      expect(withoutIds(foreign, ids)).toEqual(withoutIds(none, unknown));
      const malformed = Object.fromEntries(Object.keys(ids).map((name) => [name, "not-an-id"]));
      const nonsense = await stranger.fail(`${method} ${fill(path, malformed)}`, body);
      expect(nonsense.status, `${method} ${path}`).toBe(404);
    }
  });

  it("is 401 without a key, the document itself apart", async () => {
    const ids = await owned();
    for (const { path, method, operationId } of routes()) {
      if (operationId === "openapi") continue;
      const headers = { authorization: "" };
      const { status } = await owner.fail(`${method} ${fill(path, ids)}`, undefined, headers);
      expect(status, `${method} ${path}`).toBe(401);
    }
  });

  it("shows lists of the caller's own only", async () => {
    await owner.startChat();
    const { body } = await stranger.call("GET /chats");
    expect(body).toEqual({ data: [] });
  });
});
