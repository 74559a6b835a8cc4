import { actorId, type ServerContext } from "@/server/context";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { applyTransition } from "@/server/machine/transition";

/**
 * Lets a worker sum up the history, from which the model reads it then. A chat that rested rests again afterwards, and a turn
 * that has failed goes on.
 *
 * @param input.instructions what the summary has to keep in particular.
 * @throws {DomainError} `not_found`, `conflict` while the chat is busy, archived, or has paused messages.
 */
export const compactChat = (
  ctx: ServerContext,
  input: { chatId: string; instructions?: string | undefined },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    const { instructions = "" } = input;
    await applyTransition(tx, chat, {
      event: "compact",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      written: {
        compaction: {
          status: "requested",
          rests: chat.status === "waiting",
          ...(instructions !== "" && { instructions }),
        },
      },
    });
  });
