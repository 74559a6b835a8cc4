import { v7 as newId } from "uuid";
import { expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { testDatabase } from "@/test/database";
import { createTestContext } from "@/test/chat-fixture";
import { createIdempotency, type KeyedRequest } from "./idempotency";

const createRequest = ({ actor }: ServerContext, key: string): KeyedRequest => ({
  userId: actor.userId,
  route: "POST /chats",
  key,
  body: new Uint8Array(),
});

it("answers a refusal only if it could look for the key", async () => {
  const db = await testDatabase();
  const ctx = await createTestContext(db);
  const request = createRequest(ctx, "key");
  const refused = new DomainError("conflict", "The chat is busy.");
  const refuse = () => Promise.reject(refused);
  await expect(createIdempotency(db).runOnce(ctx, request, refuse)).rejects.toBe(refused);

  const away = new DomainError("unavailable", "The database is away.");
  const broken: Database = {
    ...db,
    query: (statement, values) =>
      statement.name === "find-response" ? Promise.reject(away) : db.query(statement, values),
  };

  await expect(createIdempotency(broken).runOnce(ctx, request, refuse)).rejects.toBe(away);
});

it("refuses what would wait for the transaction of the request", async () => {
  const db = await testDatabase();
  const ctx = await createTestContext(db);
  const request = createRequest(ctx, "outside");
  const key = newId();
  const readOutside = createIdempotency(db).runOnce(ctx, request, async (given) => {
    await db.prisma.setting.count();
    await given.db.transaction((tx) => tx.prisma.setting.create({ data: { key, value: 1 } }));
    await given.db.prisma.setting.count();
    await db.prisma.setting.count();
    return { response: { status: 200, headers: {}, body: null }, chatId: null };
  });
  await expect(readOutside).rejects.toThrow("inside a transaction only its own `tx` may be used");
  expect(await db.prisma.setting.count({ where: { key } })).toBe(0);
});
