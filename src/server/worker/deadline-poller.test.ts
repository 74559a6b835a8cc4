import { pino } from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { createChat } from "@/server/chat/create-chat";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall, passDeadlines } from "@/test/park-chat";
import { createDeadlinePoller } from "./deadline-poller";

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

/** @param minutesAgo when the deadline passed; chats are expired in this order. */
const expiredChat = async (minutesAgo: number, data: object = {}): Promise<string> => {
  const { id } = await createChat(ctx, {
    content: toTextContent("hello"),
    dynamicTools: [{ name: "ask" }],
  });
  await commitAnswer(db, id, { parts: [openCall("a", "ask")], after: "park" });
  await passDeadlines(db, id);
  const actionDeadlineAt = new Date(Date.now() - minutesAgo * 60_000);
  await db.prisma.chat.update({ where: { id }, data: { actionDeadlineAt, ...data } });
  return id;
};

describe("a chat that cannot be expired", () => {
  it.each([
    ["throws", { version: 2 ** 31 - 1 }, 1],
    ["is in an invalid state", { archivedAt: new Date() }, 0],
  ])("because it %s does not stop the others, and is logged once", async (_why, data, logged) => {
    const lines: { chatId: string }[] = [];
    const log = pino(
      {},
      { write: (line: string) => lines.push(JSON.parse(line) as { chatId: string }) },
    );
    const expirer = createDeadlinePoller({
      db,
      newId: ctx.newId,
      log,
    });
    const broken = await expiredChat(3, data);
    const next = await expiredChat(2);
    await expirer.run();
    expect((await readChat(db, next)).status).toBe("pending");
    const last = await expiredChat(1);
    await expirer.run();
    expect((await readChat(db, last)).status).toBe("pending");
    expect((await readChat(db, broken)).status).toBe("requires_action");
    expect(lines.filter(({ chatId }) => chatId === broken)).toHaveLength(logged);
    await db.prisma.chat.delete({ where: { id: broken } });
  });
});
