import type { ChatRow, MessageRow } from "@/server/db/chats/rows";
import { hasSteering } from "@/server/db/sql/machine/queue-writes";
import { lockLeasedChat } from "@/server/machine/lock-chat";
import { applyTransition } from "@/server/machine/transition";
import type { TurnDeps } from "./turn-deps";

/**
 * Lets the next message of the queue enter the turn that runs, if it is to.
 *
 * @returns the chat, with the message and the reports before it, if one has entered; "lost" when the lease is lost.
 */
export const takeSteering = (
  { db, newId }: Pick<TurnDeps, "db" | "newId">,
  held: ChatRow,
): Promise<{ chat: ChatRow; messages: MessageRow[] } | "lost"> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (chat?.status !== "running") return "lost";
    if (!(await hasSteering(tx, chat.id))) return { chat: held, messages: [] };
    const taken = await applyTransition(tx, chat, {
      event: "take_steering",
      newId,
      by: "worker",
      closeReason: "superseded",
    });
    const messages = [taken.reports, taken.entered].filter((message) => message !== undefined);
    return { chat: taken.chat, messages };
  });
