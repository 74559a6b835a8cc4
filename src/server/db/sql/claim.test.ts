import { beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/database";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { claimChats } from "./claim";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const run = (text: string) => db.query({ name: `test-${text.replace(/\W+/g, "-")}`, text }, []);

it("claims no more chats than the limit, also by a plan that was made for an empty table", async () => {
  await run("TRUNCATE chat CASCADE");
  await run("ANALYZE chat");
  expect(await claimChats(db, { owner: "worker", limit: 2 })).toEqual([]);
  const userId = await createUser(db);
  const chatIds: string[] = [];
  for (let minute = 0; minute < 4; minute += 1) {
    const updatedAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
    chatIds.push(await writeChat(db, userId, { status: "pending", updatedAt }));
  }

  const claimed = await claimChats(db, { owner: "worker", limit: 2 });

  expect(claimed.map(({ id }) => id).toSorted()).toEqual(chatIds.slice(0, 2));
});
