import { createKeyedLock } from "@/lib/keyed-lock";
import type { Database } from "@/server/db/connection/database";
import { holdSessions, listHeldChats, releaseSessions } from "@/server/db/tasks/session-holds";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import type { Notifications } from "@/server/stream/notifications";
import type { SessionHolds } from "@/server/exec/exec-sessions";

type ChatHoldsDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  owner: string;
  /** Whether something of the chat is still in this process. */
  isNeeded: (chatId: string) => boolean;
  /** Called when a chat that is held may have changed. */
  onChange: (chatId: string) => void;
  onFailure: (error: unknown) => void;
};

/** The chats that this process holds, as their rows say: no other worker claims them while it is alive. */
export const createChatHolds = (deps: ChatHoldsDeps) => {
  const { db, notifications, owner, isNeeded, onChange, onFailure } = deps;
  /** Each time that a chat is held has an object of its own. */
  const holds = new Map<string, { unsubscribe: () => void }>();
  const withChatLock = createKeyedLock();

  const release = async (chatId: string): Promise<void> => {
    const before = holds.get(chatId);
    await withChatLock(chatId, async () => {
      // Who has held it again meanwhile may not have said yet what for.
      if (isNeeded(chatId) || holds.get(chatId) !== before) return;
      // If this fails, the next check tries it again.
      await releaseSessions(db, { owner, chatIds: [chatId] });
      before?.unsubscribe();
      holds.delete(chatId);
    });
  };
  const sessionHolds: SessionHolds = {
    hold: (chatId) =>
      withChatLock(chatId, async () => {
        // Others must see it alive before they see it hold a chat.
        if (holds.size === 0) await recordHeartbeat(db, owner);
        const held = await holdSessions(db, { owner, chatId });
        if (!held) return "refused";
        const { unsubscribe = notifications.subscribe(chatId, () => onChange(chatId)) } =
          holds.get(chatId) ?? {};
        holds.set(chatId, { unsubscribe });
        return held.renewed ? "renewed" : "taken";
      }),
    release: async (chatIds) => {
      await Promise.all(chatIds.map((chatId) => release(chatId).catch(onFailure)));
    },
  };
  return {
    ...sessionHolds,
    chatIds: (): string[] => [...holds.keys()],
    /** Lists those of these chats whose rows do not name this process any more. Rejects when the database is away. */
    listLost: async (chatIds: readonly string[]): Promise<string[]> => {
      const before = chatIds.map((chatId) => ({ chatId, hold: holds.get(chatId) }));
      const held = await listHeldChats(db, { owner, chatIds });
      return before
        .filter(({ chatId, hold }) => hold && hold === holds.get(chatId) && !held.has(chatId))
        .map(({ chatId }) => chatId);
    },
  };
};
