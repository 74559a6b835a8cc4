import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/database";
import { endAbandonedCalls, resumeAskedCall } from "@/server/chat/asked-calls";
import { createHeldCalls } from "@/server/chat/held-calls";
import { listOpenOf } from "@/server/db/call-reads";
import { deleteWorker, listHeldChats, recordHeartbeat } from "@/server/db/session-holds";
import type { Notifications } from "@/server/stream/notifications";
import { createExecSessions } from "@/server/tools/exec/exec-sessions";
import { createChatHolds } from "./chat-holds";

/** A third of the silence after which other workers take the chats, so that two heartbeats may fail. */
const HEARTBEAT_MS = 10_000;

type KeeperDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  /** The worker, as the leases name it. */
  owner: string;
  newId: () => string;
  log: Logger;
  heartbeatMs?: number;
};

/**
 * Keeps the exec sessions of a worker, and its calls that wait for a person, in agreement with the database: the row of a
 * chat names the worker that has them. A row that names it no longer, as the chat was interrupted, archived or deleted,
 * ends them.
 */
export const createSessionKeeper = (deps: KeeperDeps) => {
  const { db, notifications, owner, newId, log, heartbeatMs = HEARTBEAT_MS } = deps;
  const logFailure = (what: string) => (error: unknown) => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };
  const holds = createChatHolds({
    ...{ db, notifications, owner },
    isNeeded: (chatId) => sessions.has(chatId) || heldCalls.hasChat(chatId),
    onChange: () => checks.trigger(),
    onFailure: logFailure("releasing chats"),
  });
  const sessions = createExecSessions({ holds });
  const heldCalls = createHeldCalls({
    hold: async (chatId) => {
      const held = await holds.hold(chatId);
      // The chat was interrupted meanwhile, which ends its sessions.
      if (held === "taken") sessions.endChat(chatId);
      return held !== "refused";
    },
    release: holds.release,
    resume: (call) => resumeAskedCall({ db, newId }, call).catch(logFailure("resuming a call")),
    listOpen: (calls) => listOpenOf(db, calls),
  });

  const check = async (): Promise<void> => {
    const chatIds = holds.chatIds();
    if (chatIds.length === 0) return;
    await recordHeartbeat(db, owner);
    const held = await listHeldChats(db, { owner, chatIds });
    for (const chatId of chatIds) {
      if (held.has(chatId)) continue;
      sessions.endChat(chatId);
      heldCalls.endChat(chatId);
    }
    await heldCalls.check();
  };
  const poll = (what: string, run: () => Promise<void>) =>
    createPoller({
      ...{ intervalMs: heartbeatMs, run, isBackground: true },
      onError: logFailure(what),
    });
  const checks = poll("checking what is held", check);
  /** Also closes the questions of workers that have crashed. */
  const closing = poll("closing questions", () => endAbandonedCalls({ db, owner, newId }));
  // Those of a process before this one, if no other is left.
  closing.trigger();

  return {
    sessions,
    heldCalls,
    /** Ends all sessions, and all calls with their questions; other workers can claim their chats at once. */
    stop: async (): Promise<void> => {
      await Promise.all([checks.stop(), closing.stop()]);
      await heldCalls.endAll();
      await endAbandonedCalls({ db, owner, newId }).catch(logFailure("closing questions"));
      await sessions.endAll();
      await deleteWorker(db, owner).catch(logFailure("removing the worker"));
    },
  };
};
