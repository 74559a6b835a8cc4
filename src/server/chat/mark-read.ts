import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import type { ServerContext } from "@/server/context";
import { saveAllReadMarks, saveReadMark } from "@/server/db/sql/machine/chat-lifecycle";
import { unknownChat } from "@/server/machine/lock-chat";

/**
 * Marks a chat as read up to a version for the actor's user. A mark never goes back, so repetitions and late
 * requests change nothing.
 *
 * @throws {DomainError} `not_found`, `invalid` for a version that the chat does not have yet.
 */
export const markRead = async (
  { db, actor }: ServerContext,
  { chatId, version }: { chatId: string; version: number },
): Promise<void> => {
  const current = isUuid(chatId)
    ? await saveReadMark(db, { chatId, viewer: actor, version })
    : undefined;
  if (current === undefined) throw unknownChat(chatId);
  if (version > current) {
    throw new DomainError(
      "invalid",
      `The chat has version ${current}, so ${version} cannot be read.`,
      {
        errors: [{ pointer: "/version", message: `must be at most ${current}` }],
        shouldRetry: false,
      },
    );
  }
};

/** Marks all chats of the actor's user as read. */
export const markAllRead = ({ db, actor }: ServerContext): Promise<void> =>
  saveAllReadMarks(db, actor);
