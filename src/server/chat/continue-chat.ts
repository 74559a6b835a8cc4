import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import { type MessageEnd, readLastEnds } from "@/server/db/chats/message-ends-reads";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { applyTransition } from "@/server/machine/transition";

/**
 * Lets the model read the results of tools after which the turn rests or has failed. The turn may take the full
 * number of steps again.
 *
 * @returns the version of the chat in which the turn goes on.
 * @throws {DomainError} `not_found`, `conflict` for any other turn.
 */
export const continueChat = (ctx: ServerContext, { chatId }: { chatId: string }): Promise<number> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, chatId);
    const applied = await applyTransition(tx, chat, {
      event: "continue",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      ...(await findPartial(tx, chat)),
    });
    return applied.chat.version;
  });

const RESTS = "auto-submit-off";

/**
 * Finds the unfinished answer of a failed turn, which the next one replaces. In any other status the state table
 * refuses the event.
 *
 * @throws {DomainError} `conflict` when there are no results that the model has not read.
 */
const findPartial = async (
  tx: Queryable,
  { id, status }: ChatRow,
): Promise<{ targetSeq?: number }> => {
  if (status !== "waiting" && status !== "error") return {};
  const [last, before] = await readLastEnds(tx, id);
  if (status === "error") return findFailed(last, before);
  if (last?.finishReason === RESTS) return {};
  throw refusal("The chat has no turn that rests after its tools.");
};

const findFailed = (last: MessageEnd | undefined, before: MessageEnd | undefined) => {
  const partial = last?.role === "assistant" && last.interrupted ? last : undefined;
  const results = partial ? before : last;
  if (results?.role !== "assistant" || !results.hasCalls) {
    throw refusal("The turn that failed has no results of tools that the model could go on from.");
  }
  return partial ? { targetSeq: partial.seq } : {};
};

const refusal = (message: string) => new DomainError("conflict", message, { shouldRetry: false });
