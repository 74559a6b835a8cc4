import { beforeAll, describe, expect, it } from "vitest";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { claimChats, type ClaimedChat, SHORT_HISTORY } from "@/server/db/sql/machine/claim";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { toHistory } from "@/test/chat-probe";
import { textPart, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { openCall } from "@/test/park-chat";
import { createChat } from "@/server/chat/create-chat";
import { editMessage } from "@/server/chat/edit-message";

let db: Database;
let ctx: ServerContext;
beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const claim = async (chatId: string): Promise<ClaimedChat | undefined> =>
  (await claimChats(db, { owner: "test", limit: 10_000 })).find(({ id }) => id === chatId);

describe("the history that comes with a claim", () => {
  it("is what the model may see of a short chat, as it would be read", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("hello") });
    await writeMessage(db, id, {
      seq: 2,
      role: "assistant",
      parts: [textPart("a\0b"), openCall("a", "ask", { args: { q: 1 } })],
    });
    await writeMessage(db, id, { seq: 3, visibility: "user", parts: [textPart("a notice")] });
    await writeMessage(db, id, { seq: 4, deleted: true, parts: [textPart("gone")] });
    const claimed = await claim(id);
    expect(claimed?.history).toHaveLength(2);
    expect(toHistory(claimed?.history ?? [])).toEqual(await readHistory(db, id));
  });

  it.each([
    [SHORT_HISTORY, 1],
    [SHORT_HISTORY + 1, undefined],
  ])("is left to be read of a long one: of %i messages it has %s", async (lastSeq, length) => {
    const { id } = await createChat(ctx, { content: toTextContent("hello") });
    await db.prisma.chat.update({ where: { id }, data: { lastSeq } });
    expect((await claim(id))?.history?.length).toBe(length);
  });

  it("is never older than the chat, despite concurrent changes", async () => {
    for (let round = 0; round < 25; round++) {
      const { id } = await createChat(ctx, { content: toTextContent("before") });
      const [first] = await readHistory(db, id);
      const edit = { chatId: id, messageId: first?.id ?? "", content: toTextContent("after") };
      const [claimed] = await Promise.all([claim(id), editMessage(ctx, edit)]);
      if (!claimed?.history) continue;
      const isEdited = claimed.historyVersion > 1;
      expect(claimed.history.map(({ parts }) => parts)).toEqual([
        [{ type: "text", text: isEdited ? "after" : "before" }],
      ]);
    }
  });
});
