import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";

let db: Database;
let test: TestApi;
let owner: TestClient;
let member: TestClient;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
  owner = await createClient(db, test, { role: "owner" });
  member = await createClient(db, test);
});
afterEach(() => db.prisma.setting.deleteMany());

const PATH = "/config/caller-tools";
const TOOLS = { dynamic_tools: [{ name: "deploy" }] };
const set = async (allowed: boolean) => {
  expect((await owner.call(`PUT ${PATH}`, { allowed })).body).toEqual({ allowed });
};

describe("the tools that callers declare", () => {
  it("are allowed until an administrator turns them off", async () => {
    expect((await owner.call(`GET ${PATH}`)).body).toEqual({ allowed: true });
    await set(false);
    expect((await owner.call(`GET ${PATH}`)).body).toEqual({ allowed: false });
    expect((await member.fail(`GET ${PATH}`)).status).toBe(403);
    expect((await member.fail(`PUT ${PATH}`, { allowed: true })).status).toBe(403);
    expect((await owner.call(`GET ${PATH}`)).body).toEqual({ allowed: false });
    for (const sent of [{}, { allowed: "no" }, { allowed: true, more: 1 }]) {
      expect((await owner.fail(`PUT ${PATH}`, sent)).status).toBe(400);
    }
  });

  it("are refused while they are off, and change nothing", async () => {
    const chatId = await member.startChat();
    await set(false);
    const before = await db.prisma.chat.count();
    for (const [route, sent] of [
      ["POST /chats", { content: "x", ...TOOLS }],
      [`PATCH /chats/${chatId}`, TOOLS],
    ] as const) {
      const { problem } = await member.fail(route, sent);
      expect(problem).toMatchObject({ status: 403, errors: [{ pointer: "/dynamic_tools" }] });
      expect(problem.detail).toContain("administrator");
    }
    expect(await db.prisma.chat.count()).toBe(before);
    expect((await member.call(`PATCH /chats/${chatId}`, { dynamic_tools: [] })).status).toBe(200);
    await member.startChat();
    await set(true);
    await member.startChat(TOOLS);
  });

  it("of open calls are answered", async () => {
    const chatId = await member.startChat(TOOLS);
    await commitAnswer(db, chatId, { parts: [openCall("a", "deploy")], after: "park" });
    await set(false);
    const route = `POST /chats/${chatId}/tool-calls/a/result`;
    expect((await member.call(route, { output: 1 })).status).toBe(204);
  });

  it("do not change what GET /tools says of others", async () => {
    const { body: before } = await owner.call("GET /tools");
    await set(false);
    expect((await owner.call("GET /tools")).body).toEqual(before);
    expect((await owner.fail("PUT /tools/*", { mode: "on" })).status).toBe(404);
  });
});
