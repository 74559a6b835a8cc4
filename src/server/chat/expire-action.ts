import { lockChat } from "@/server/db/sql/chat-locks";
import type { Database } from "@/server/db/database";
import { isActionExpired } from "@/server/db/action-reads";
import type { ClosedCall } from "./exit-calls";
import { applyTransition } from "./transition";

/**
 * Closes the open calls of a parked chat whose deadline has passed; the model reads that they timed out.
 *
 * @returns the calls that this has closed, for whose end recipes may have something.
 */
export const expireAction = (
  db: Database,
  chatId: string,
  newId: () => string,
): Promise<ClosedCall[]> =>
  db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat?.status !== "requires_action" || !(await isActionExpired(tx, chat))) return [];
    const { closed } = await applyTransition(tx, chat, {
      event: "expire_action",
      newId,
      by: "worker",
      closeReason: "timed_out",
    });
    return closed;
  });
