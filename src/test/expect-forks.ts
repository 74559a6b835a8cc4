import { expect } from "vitest";
import { deleteChat } from "@/server/chat/delete-chat";
import { forkChat } from "@/server/chat/fork-chat";
import { sendMessage } from "@/server/chat/send-message";
import type { ServerContext } from "@/server/context";
import { toTextContent } from "./chat-fixture";
import { attempt, expectInvariants } from "./chat-invariants";
import { readChat, readWholeHistory } from "./chat-probe";

/** Forks a chat that rests at its first, its last but one and its last message, and checks the invariants of the forks. */
export const expectForks = async (ctx: ServerContext, chatId: string): Promise<void> => {
  const before = await readChat(ctx.db, chatId);
  const seqs = (await readWholeHistory(ctx.db, chatId)).map(({ seq }) => seq);
  for (const afterSeq of new Set([seqs.at(0), ...seqs.slice(-2)])) {
    await attempt(async () => {
      const { id } = await forkChat(ctx, { chatId, afterSeq });
      const fork = await expectInvariants(ctx.db, id, undefined);
      await sendMessage(ctx, {
        chatId: id,
        content: toTextContent("more"),
        busyBehavior: "reject",
      });
      // Its turn is pending, so that its prompt is checked, too.
      await expectInvariants(ctx.db, id, fork);
      await ctx.db.prisma.chat.update({ where: { id }, data: { status: "waiting" } });
      await deleteChat(ctx, { chatId: id });
    });
  }
  expect(await readChat(ctx.db, chatId)).toEqual(before);
};
