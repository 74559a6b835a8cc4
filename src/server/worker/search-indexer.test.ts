import { pino } from "pino";
import { beforeAll, expect, it } from "vitest";
import { HistoryMessages } from "@/contract/history";
import { createChat } from "@/server/chat/create-chat";
import { deleteChat } from "@/server/chat/delete-chat";
import { forkChat } from "@/server/chat/fork-chat";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { listChats } from "@/server/db/chats/chat-list-reads";
import { addSearchEntries } from "@/server/db/sql/machine/search-entries";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createDuePoller } from "./due-poller";
import { createSearchIndexer } from "./search-indexer";

const log = pino({ enabled: false });
/** More than one statement takes, and so many that the search of their owner reads the index. */
const MESSAGES = 2_100 / 2;
const WORD = "Corryvreckan";

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

/** Tests of other files write to the same database. @returns how many parts each statement took. */
const addAll = async (): Promise<number[]> => {
  const counts: number[] = [];
  do counts.push(await addSearchEntries(db));
  while (counts.at(-1) !== 0);
  return counts;
};

const createHistory = async (texts: readonly string[]): Promise<string> => {
  const messages = texts.flatMap((content) => [
    { role: "user", content },
    { role: "assistant", content },
  ]);
  const { id } = await createChat(ctx, { messages: HistoryMessages.parse(messages) });
  return id;
};

const countUnindexed = (...chatIds: string[]): Promise<number> =>
  db.prisma.part.count({ where: { isIndexed: false, message: { chatId: { in: chatIds } } } });

const find = async (q: string): Promise<string[]> => {
  const { chats } = await listChats(db, { viewer: ctx.actor, archived: false, q, limit: 10 });
  return chats.map(({ id }) => id);
};

it("lets the search find a history and its fork soon after they were written", async () => {
  const texts = Array.from({ length: MESSAGES }, (_each, index) => `Line ${index}`);
  const full = await createHistory(texts.slice(0, MESSAGES / 2));
  const id = await createHistory([...texts.slice(MESSAGES / 2), `Beware of ${WORD}.`]);
  const fork = await forkChat(ctx, { chatId: id });
  expect(await countUnindexed(full, id, fork.id)).toBeGreaterThan(2 * MESSAGES);

  const due = createDuePoller({ db, log, pollMs: 20 });
  const indexers = [1, 2].map(() => createSearchIndexer({ db, log, due }));
  await expect.poll(() => countUnindexed(full, id, fork.id)).toBe(0);
  await Promise.all([due, ...indexers].map(({ stop }) => stop()));
  expect(await find(WORD)).toEqual([fork.id, id]);
});

it("takes long texts one by one, and goes on when a chat was deleted", async () => {
  await addAll();
  const long = "tide ".repeat(10_000);
  const id = await createHistory([long, long]);
  const deleted = await createHistory(["gone"]);
  const first = await addSearchEntries(db);
  await deleteChat(ctx, { chatId: deleted });
  expect([first, ...(await addAll())]).toEqual([1, 1, 1, 1, 0]);
  expect(await countUnindexed(id)).toBe(0);
});
