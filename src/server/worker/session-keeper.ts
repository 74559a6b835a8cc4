import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/database";
import {
  deleteWorker,
  holdSessions,
  listHeldChats,
  recordHeartbeat,
  releaseSessions,
} from "@/server/db/session-holds";
import type { Notifications } from "@/server/stream/notifications";
import { createExecSessions, type SessionHolds } from "@/server/tools/exec/exec-sessions";

/** A third of the silence after which other workers take the chats, so that two heartbeats may fail. */
const HEARTBEAT_MS = 10_000;

type KeeperDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  /** The worker, as the leases name it. */
  owner: string;
  log: Logger;
  heartbeatMs?: number;
};

/**
 * Keeps the exec sessions of a worker in agreement with the database: the row of a chat names the worker that has
 * its sessions. A row that names it no longer, as the chat was interrupted, archived or deleted, ends them.
 */
export const createSessionKeeper = (deps: KeeperDeps) => {
  const { db, notifications, owner, log, heartbeatMs = HEARTBEAT_MS } = deps;
  const subscriptions = new Map<string, () => void>();
  const logFailure = (what: string) => (error: unknown) => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };

  const holds: SessionHolds = {
    hold: async (chatId) => {
      // Others must see it alive before they see it hold a chat.
      if (sessions.chatIds().length === 0) await recordHeartbeat(db, owner);
      const held = await holdSessions(db, { owner, chatId });
      if (!held) return "refused";
      if (!subscriptions.has(chatId)) {
        subscriptions.set(chatId, notifications.subscribe(chatId, checks.trigger));
      }
      return held.renewed ? "renewed" : "taken";
    },
    release: async (chatIds) => {
      for (const chatId of chatIds) {
        subscriptions.get(chatId)?.();
        subscriptions.delete(chatId);
      }
      await releaseSessions(db, { owner, chatIds }).catch(logFailure("releasing chats"));
    },
  };
  const sessions = createExecSessions({ holds });

  const check = async (): Promise<void> => {
    const chatIds = sessions.chatIds();
    if (chatIds.length === 0) return;
    await recordHeartbeat(db, owner);
    const held = await listHeldChats(db, { owner, chatIds });
    for (const chatId of chatIds) if (!held.has(chatId)) sessions.endChat(chatId);
  };
  const checks = createPoller({
    intervalMs: heartbeatMs,
    run: check,
    onError: logFailure("checking exec sessions"),
    isBackground: true,
  });

  return {
    sessions,
    /** Ends all sessions; other workers can claim their chats at once. */
    stop: async (): Promise<void> => {
      await checks.stop();
      await sessions.endAll();
      await deleteWorker(db, owner).catch(logFailure("removing the worker"));
    },
  };
};
