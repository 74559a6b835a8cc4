import { createKeyedLock } from "@/lib/keyed-lock";
import type { Database } from "@/server/db/database";
import { holdSessions, recordHeartbeat, releaseSessions } from "@/server/db/session-holds";
import type { Notifications } from "@/server/stream/notifications";
import type { SessionHolds } from "@/server/tools/exec/exec-sessions";

type ChatHoldsDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  owner: string;
  /** Whether something of the chat is still in this process. */
  isNeeded: (chatId: string) => boolean;
  /** Called when a chat that is held may have changed. */
  onChange: () => void;
  onFailure: (error: unknown) => void;
};

/** The chats that this process holds, as their rows say: no other worker claims them while it is alive. */
export const createChatHolds = (deps: ChatHoldsDeps) => {
  const { db, notifications, owner, isNeeded, onChange, onFailure } = deps;
  const subscriptions = new Map<string, () => void>();
  const withChatLock = createKeyedLock();

  const holds: SessionHolds = {
    hold: (chatId) =>
      withChatLock(chatId, async () => {
        // Others must see it alive before they see it hold a chat.
        if (subscriptions.size === 0) await recordHeartbeat(db, owner);
        const held = await holdSessions(db, { owner, chatId });
        if (!held) return "refused";
        if (!subscriptions.has(chatId)) {
          subscriptions.set(chatId, notifications.subscribe(chatId, onChange));
        }
        return held.renewed ? "renewed" : "taken";
      }),
    release: async (chatIds) => {
      const releases = chatIds.map((chatId) =>
        withChatLock(chatId, async () => {
          if (isNeeded(chatId)) return;
          subscriptions.get(chatId)?.();
          subscriptions.delete(chatId);
          await releaseSessions(db, { owner, chatIds: [chatId] });
        }),
      );
      await Promise.all(releases).catch(onFailure);
    },
  };
  return { ...holds, chatIds: (): string[] => [...subscriptions.keys()] };
};
