import { expect, it } from "vitest";
import { createBareChat } from "@/test/chat-editor";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { createRecentChanges } from "./recent-changes";

it.each([
  ["each of them is there", [5, 6], 6],
  ["the first is missing", [6], undefined],
  ["one between is missing", [5, 7], undefined],
  ["one is there twice in place of another", [6, 6], undefined],
  ["the last is not there yet", [5], undefined],
  ["none is there", [], undefined],
])("has the transitions after a version if %s", async (_what, versions, found) => {
  const db = await testDatabase();
  const userId = await createUser(db);
  const chat = await createBareChat(db, userId);
  const recent = createRecentChanges();
  recent.watch(chat.id);
  for (const version of versions) recent.add({ chat: { ...chat, version }, messages: [] });
  const changes = recent.since(chat.id, { viewer: { userId }, after: 4, atLeast: 6 });
  expect(changes?.chat.version).toBe(found);
});
