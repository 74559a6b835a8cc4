import { pino } from "pino";
import { beforeAll, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { claimOpenCall } from "@/server/chat/claim-calls";
import { createChat } from "@/server/chat/create-chat";
import type { Database } from "@/server/db/connection/database";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall, passLeases } from "@/test/park-chat";
import { createClaimPoller } from "./claim-poller";

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

/** A chat whose only call was claimed by a program that is lost. */
const loseProgram = async (): Promise<string> => {
  const { id } = await createChat(ctx, {
    content: toTextContent("hello"),
    dynamicTools: [{ name: "ask" }],
  });
  await commitAnswer(db, id, { parts: [openCall("a", "ask")], after: "park" });
  const call = { chatId: id, toolCallId: "a", messageId: undefined };
  await claimOpenCall(ctx, { ...call, holder: "runner", leaseSeconds: 60 });
  await passLeases(db, id);
  return id;
};

const getStatus = async (chatId: string): Promise<string> => (await readChat(db, chatId)).status;

const createPoller = (
  options: {
    database?: Database;
    holdOffMs?: number;
    readTime?: () => number;
  } = {},
) => {
  const lines: { chatId: string }[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as { chatId: string });
  const { database = db, ...rest } = options;
  const poller = createClaimPoller({
    db: database,
    newId: ctx.newId,
    log: pino({}, { write }),
    ...rest,
  });
  return { ...poller, lines };
};

it("ends claims whose lease has run out, but not in the first time after a start", async () => {
  const chatId = await loseProgram();
  await createPoller().run();
  expect(await getStatus(chatId)).toBe("requires_action");
  await createPoller({ holdOffMs: 0 }).run();
  expect(await getStatus(chatId)).toBe("pending");
});

it("lets holders renew first after an outage", async () => {
  const chatId = await loseProgram();
  let now = 0;
  let isAway = true;
  const database: Database = {
    ...db,
    query: (statement, values) =>
      isAway
        ? Promise.reject(new DomainError("unavailable", "The database is away."))
        : db.query(statement, values),
  };
  const poller = createPoller({ database, holdOffMs: 1_000, readTime: () => now });
  now = 1_000;
  await expect(poller.run()).rejects.toThrow("away");
  isAway = false;
  now = 1_999;
  await poller.run();
  expect(await getStatus(chatId)).toBe("requires_action");
  now = 2_000;
  await poller.run();
  expect(await getStatus(chatId)).toBe("pending");
});

it("lets holders renew first whenever they could not reach the server", async () => {
  const chatId = await loseProgram();
  let now = 0;
  const poller = createPoller({ holdOffMs: 1_000, readTime: () => now });
  now = 20_000;
  poller.holdOff();
  await poller.run();
  expect(await getStatus(chatId)).toBe("requires_action");
  now = 21_000;
  await poller.run();
  expect(await getStatus(chatId)).toBe("pending");
});

it("is not stopped by a claim that cannot be ended, which is logged once", async () => {
  const broken = await loseProgram();
  await db.prisma.chat.update({ where: { id: broken }, data: { version: 2 ** 31 - 1 } });
  const poller = createPoller({ holdOffMs: 0 });
  for (let run = 0; run < 2; run += 1) {
    const next = await loseProgram();
    await poller.run();
    expect(await getStatus(next)).toBe("pending");
  }
  expect(poller.lines.map(({ chatId }) => chatId)).toEqual([broken]);
  await db.prisma.chat.delete({ where: { id: broken } });
});
