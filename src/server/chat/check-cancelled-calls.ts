import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import { type ChatRow, waitsForClient } from "@/server/db/chats/rows";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";

/**
 * Checks that an event cancels no other open calls than the client has named. A call can open between what a person
 * sees and what they press, so call it after the chat is locked.
 *
 * @param cancelCalls ids of calls, as one call can end and another open while the question is on the screen; undefined
 *   allows all.
 * @throws {DomainError} `conflict` when another call waits for a client.
 */
export const checkCancelledCalls = async (
  tx: Transaction,
  { actor }: ServerContext,
  { chat, cancelCalls }: { chat: ChatRow; cancelCalls: readonly string[] | undefined },
): Promise<void> => {
  if (cancelCalls === undefined || chat.status !== "requires_action") return;
  const read = await readChatWithCalls(tx, { chatId: chat.id, viewer: actor });
  const isCovered = read?.openCalls.every(
    (call) => !waitsForClient(call) || cancelCalls.includes(call.toolCallId),
  );
  if (isCovered) return;
  throw new DomainError(
    "conflict",
    "The chat waits for answers that this would cancel, so nothing has changed. Look at the open calls, then try again.",
    { shouldRetry: false },
  );
};
