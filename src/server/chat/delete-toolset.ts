import { actorId, type ServerContext } from "@/server/context";
import { listOpenCalls } from "@/server/db/chats/call-reads";
import { getToolset, waitsForClient } from "@/server/db/chats/rows";
import { changeDeclared } from "@/server/db/settings/change-declared";
import { hasToolset } from "@/server/db/settings/toolset-reads";
import { deleteToolsetRow } from "@/server/db/settings/toolset-writes";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import { listChatsOfToolset } from "@/server/db/sql/reads/runner-reads";
import { applyTransition } from "@/server/machine/transition";
import { requireToolsetRight, unknownToolset } from "@/server/settings/manage-toolsets";

/** Chats that are read at once. */
const BATCH = 100;

/**
 * Removes a toolset, and cancels the calls of it that are open. Whoever is cut off at this can do it again.
 *
 * @throws {DomainError} `forbidden`, `not_found`.
 */
export const deleteToolset = async (ctx: ServerContext, name: string): Promise<void> => {
  requireToolsetRight(ctx.actor, name);
  if (!(await hasToolset(ctx.db, name))) throw unknownToolset(name);
  await closeCalls(ctx, name);
  await changeDeclared(ctx.db, "toolsets", (tx) => deleteToolsetRow(tx, name));
  ctx.cached.toolsets.forget();
  // Those that turns have made meanwhile.
  await closeCalls(ctx, name);
};

const closeCalls = async (ctx: ServerContext, toolset: string): Promise<void> => {
  let chatIds: string[] = [];
  do {
    // Each chat once, as one may have changed meanwhile so that nothing of it is closed.
    chatIds = await listChatsOfToolset(ctx.db, { toolset, after: chatIds.at(-1), limit: BATCH });
    for (const chatId of chatIds) await closeChatCalls(ctx, { chatId, toolset });
  } while (chatIds.length === BATCH);
};

const closeChatCalls = (
  { db, newId, actor }: ServerContext,
  { chatId, toolset }: { chatId: string; toolset: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat?.status !== "requires_action" || chat.archivedAt !== null) return;
    const waiting = (await listOpenCalls(tx, chatId)).filter(waitsForClient);
    const due = waiting.filter((call) => getToolset(call) === toolset);
    if (due.length === 0) return;
    const event = due.length === waiting.length ? "expire_action" : "expire_some";
    await applyTransition(tx, chat, {
      event,
      dueCalls: new Set(due.map(({ toolCallId }) => toolCallId)),
      newId,
      by: actorId(actor),
      closeReason: "toolset_deleted",
    });
  });
