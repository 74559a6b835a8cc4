import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import { lockFamily } from "@/server/db/sql/machine/row-locks";
import { saveMetadata, type Metadata } from "@/server/db/sql/machine/chat-lifecycle";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { checkChoice, readChoosable } from "@/server/settings/chosen-tools";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { isWoken, wakeChat } from "@/server/tasks/task-reports";
import { takeGroupTools, tooManyGroupTools } from "@/server/tools/group-tools";
import { requireModel } from "./require-model";
import { applyTransition } from "@/server/machine/transition";
import { withViewerLabels } from "./viewer-labels";

/**
 * Updates settings, and wakes the chat if its waiting reports may now do so. `archived` is a transition of the root
 * chat and all its children, or of none of them.
 *
 * @throws {DomainError} `not_found`, `forbidden` for labels and tools that the key is not for, `invalid` for a child's `archived` or an unknown model, tool or group,
 *   `conflict` while any chat of the family is busy.
 */
export const updateChat = async (
  ctx: ServerContext,
  {
    chatId,
    archived,
    labels,
    ...others
  }: { chatId: string; archived?: boolean | undefined } & Omit<Metadata, "dynamicTools">,
): Promise<ChatRow> => {
  const metadata = {
    ...others,
    labels: labels && withViewerLabels(ctx.actor, labels),
  };
  await requireModel(ctx.db, metadata.modelId);
  // Before the transaction, as the embedded database has one connection.
  const known = await readChoosable(ctx, metadata);
  const updated = await ctx.db.transaction(async (tx) => {
    let chat = await lockActorsChat(tx, ctx, chatId);
    checkChoice(metadata, known, chat);
    if (archived !== undefined && archived !== (chat.archivedAt !== null)) {
      chat = await archiveFamily(tx, ctx, { chat, archived });
    }
    const { groupNames = chat.groupNames } = metadata;
    const { dynamicTools, isOver } = takeGroupTools(chat, groupNames, known.groups);
    if (isOver) throw tooManyGroupTools("/groups");
    const changed = Object.values(metadata).some((value) => value !== undefined);
    return changed ? saveMetadata(tx, chat.id, { ...metadata, dynamicTools }) : chat;
  });
  return (isWoken(updated) ? await wakeChat(ctx, chatId) : undefined) ?? updated;
};

const archiveFamily = async (
  tx: Queryable,
  ctx: ServerContext,
  { chat, archived }: { chat: ChatRow; archived: boolean },
): Promise<ChatRow> => {
  if (chat.parentChatId !== null) {
    throw new DomainError("invalid", "Only a root chat can be archived; its children follow it.", {
      errors: [{ pointer: "/archived", message: "belongs to the root chat" }],
    });
  }
  let root = chat;
  for (const member of await lockFamily(tx, chat.id)) {
    const applied = await applyTransition(tx, member, {
      event: archived ? "archive" : "unarchive",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "interrupted",
    });
    if (member.id === chat.id) root = applied.chat;
  }
  return root;
};
