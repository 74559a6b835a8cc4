import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { deleteFamily } from "@/server/db/sql/machine/chat-lifecycle";
import { lockFamily } from "@/server/db/sql/machine/row-locks";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import { lockActorsChat } from "@/server/machine/lock-chat";

/**
 * Deletes a root chat with its children and all their data. Its forks keep the files that they share.
 *
 * @throws {DomainError} `not_found`, `invalid` for a child chat, `conflict` while any chat of
 *   the family is busy.
 */
export const deleteChat = (ctx: ServerContext, input: { chatId: string }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await lockArtifacts(tx, ctx.actor);
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    if (chat.parentChatId !== null) {
      throw new DomainError("invalid", "Only a root chat can be deleted; its children follow it.");
    }
    for (const member of await lockFamily(tx, chat.id)) requireOutcome(member, "delete");
    await deleteFamily(tx, chat.id);
  });
