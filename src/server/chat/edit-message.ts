import type { Content } from "@/contract/content";
import type { Mentions } from "@/contract/group";
import { DomainError } from "@/contract/domain-error";
import type { ChatParameters } from "@/contract/parameters";
import { isUuid } from "@/lib/is-uuid";
import { actorId, type ServerContext } from "@/server/context";
import { findMessage } from "@/server/db/sql/reads/message-reads";
import type { MessageRow } from "@/server/db/chats/rows";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import { requireMentioned } from "@/server/settings/chosen-tools";
import { meterCancelled, stopCancelledAgents } from "./end-cancelled-tasks";
import { lockFiles, takeFiles } from "./message-files";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { applyTransition } from "@/server/machine/transition";

type EditMessage = {
  chatId: string;
  messageId: string;
  content: Content;
  mentions?: Mentions | undefined;
  /** What is left out is as it was in the message. */
  parameters?: ChatParameters | undefined;
};

/**
 * Replaces a user message: it and all after it become an alternative, the queue is emptied, and the chat
 * answers the new text. Work that is running becomes obsolete.
 *
 * @throws {DomainError} `not_found` for an unknown chat or message, `invalid` when it is not a
 *   user's message or it mentions unknown tools or groups, or names unknown files, `conflict` when the chat is archived.
 */
export const editMessage = async (
  ctx: ServerContext,
  { mentions, parameters, ...input }: EditMessage,
): Promise<MessageRow> => {
  await requireMentioned(ctx, mentions);
  const applied = await ctx.db.transaction(async (tx) => {
    await lockFiles(tx, ctx, input.content);
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    requireOutcome(chat, "edit");
    const target = isUuid(input.messageId)
      ? await findMessage(tx, chat.id, input.messageId)
      : undefined;
    if (!target) {
      throw new DomainError("not_found", `There is no message "${input.messageId}" in this chat.`);
    }
    if (target.role !== "user") {
      throw new DomainError("invalid", "Only a user's message can be edited.");
    }
    const content = await takeFiles(tx, ctx, { chat, content: input.content });
    const { newId } = ctx;
    const by = actorId(ctx.actor);
    const change = await applyTransition(tx, chat, {
      event: "edit",
      newId,
      by,
      closeReason: "edited",
      message: {
        content,
        modelId: null,
        mentions,
        parameters: replaceSome(target, parameters),
        responseFormat: target.responseFormat,
      },
      targetSeq: target.seq,
    });
    await stopCancelledAgents(tx, change, { newId, by });
    return change;
  });
  meterCancelled(applied);
  if (!applied.entered) throw new Error("an edited message did not enter the history");
  return applied.entered;
};

const replaceSome = (
  { parameters: before }: Pick<MessageRow, "parameters">,
  parameters: ChatParameters | undefined,
): ChatParameters | null => (parameters ? { ...before, ...parameters } : before);
