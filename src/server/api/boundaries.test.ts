import { beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { FoundMessages, MessagePage } from "@/contract/chat-outputs";
import { MAX_COMPACT_INSTRUCTIONS_LENGTH } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { claimChats } from "@/server/db/sql/machine/claim";
import { toFence } from "@/server/db/sql/machine/fence";
import { commitSummary } from "@/server/db/sql/machine/summary-commits";
import { testDatabase } from "@/test/database";
import { commitAnswer } from "@/test/park-chat";
import { v7 as newId } from "uuid";

let db: Database;
let client: TestClient;
beforeEach(async () => {
  db = await testDatabase();
  client = await createClient(db, createTestApi(db));
});

const startRested = async (): Promise<string> => {
  const id = await client.startChat();
  await commitAnswer(db, id, { parts: [{ type: "text", text: "an answer" }], after: "finish" });
  return id;
};
const read = async (id: string): Promise<Chat> =>
  (await client.call(`GET /chats/${id}`)).body as Chat;
const readMessages = async (id: string) =>
  ((await client.call(`GET /chats/${id}/messages`)).body as MessagePage).data;
const post = (path: string, body?: object) => client.call(`POST /chats/${path}`, body);

describe("POST …/compact", () => {
  it("asks a worker for a summary, with what to keep", async () => {
    const id = await startRested();
    const instructions = "the name of the boat";
    expect((await post(`${id}/compact`, { instructions })).status).toBe(202);
    expect(await read(id)).toMatchObject({
      status: "pending",
      compaction: { status: "requested", instructions },
    });
    expect(Object.keys((await read(id)).compaction ?? {})).toEqual(["status", "instructions"]);
    expect((await post(`${id}/compact`)).status).toBe(409);
  });

  it("is refused while the chat is busy or archived, and for wishes that are too long", async () => {
    const busy = await client.startChat();
    expect((await post(`${busy}/compact`, {})).status).toBe(409);
    const id = await startRested();
    const instructions = "x".repeat(MAX_COMPACT_INSTRUCTIONS_LENGTH + 1);
    expect(await client.fail(`POST /chats/${id}/compact`, { instructions })).toMatchObject({
      status: 400,
      problem: { errors: [{ pointer: "/instructions" }] },
    });
    await client.call(`PATCH /chats/${id}`, { archived: true });
    for (const path of ["compact", "clear"]) {
      expect((await post(`${id}/${path}`, {})).status).toBe(409);
    }
    expect(await read(id)).toMatchObject({ status: "waiting", compaction: null });
  });
});

describe("a boundary", () => {
  it("is a message of the history that can be undone once", async () => {
    const id = await startRested();
    expect((await post(`${id}/clear`)).status).toBe(204);
    const [question, , boundary] = await readMessages(id);
    expect(boundary).toMatchObject({
      role: "event",
      parts: [{ type: "summary", reason: "cleared", kept: [], tokens_before: 12, tokens_after: 0 }],
    });
    const undo = (messageId = "") => post(`${id}/messages/${messageId}/undo`);
    expect((await undo(question?.id)).status).toBe(400);
    expect((await undo(newId())).status).toBe(404);
    expect((await undo("x")).status).toBe(404);
    expect((await undo(boundary?.id)).status).toBe(204);
    expect((await undo(boundary?.id)).status).toBe(404);
    expect(await readMessages(id)).toHaveLength(2);
    expect(await read(id)).toMatchObject({ context: { used_tokens: 12 } });
  });

  it("has a summary that the searches find, with all that was before", async () => {
    const id = await startRested();
    await post(`${id}/compact`, {});
    const chat = (await claimChats(db, { owner: "test", limit: 10_000 })).find(
      (one) => one.id === id,
    );
    if (!chat) throw new Error("the chat could not be claimed");
    const data = {
      reason: "requested" as const,
      kept: [],
      tokens_before: 12,
      tokens_after: 3,
    };
    await commitSummary(db, toFence(chat), {
      summary: {
        messageId: newId(),
        model: "demo/demo",
        parts: [
          { type: "summary", data },
          { type: "text", text: "They spoke of a **xylophone**." },
        ],
        uses: [],
        contextTokens: 3,
      },
      after: "finish",
    });
    const found = await client.call(`GET /chats/${id}/search?q=xylophone`);
    expect((found.body as FoundMessages).data).toMatchObject([
      { seq: 3, snippet: "They spoke of a xylophone." },
    ]);
    const chats = await client.call("GET /chats?q=xylophone");
    expect(chats.body).toMatchObject({ data: [{ id, match: { seq: 3 } }] });
    expect((await client.call(`GET /chats/${id}/search?q=answer`)).body).toMatchObject({
      data: [{ seq: 2 }],
    });
    expect(await read(id)).toMatchObject({ status: "waiting", context: { used_tokens: 3 } });
  });
});
