import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import { endAbandonedCalls, resumeQuestionCall } from "@/server/chat/question-calls";
import type { HeldCallsDeps, ProcessHeldCalls } from "@/server/tools/held-calls";
import { filterOpenCalls } from "@/server/db/chats/call-reads";
import { deleteWorker } from "@/server/db/tasks/session-holds";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import type { Notifications } from "@/server/stream/notifications";
import { createExecSessions, type ExecSessions } from "@/server/exec/exec-sessions";
import { createChatHolds } from "./chat-holds";

/** A third of the silence after which other workers take the chats, so that two heartbeats may fail. */
const HEARTBEAT_MS = 10_000;

type PollerDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  /** The worker, as the leases name it. */
  owner: string;
  newId: () => string;
  log: Logger;
  createHeldCalls: (deps: HeldCallsDeps) => ProcessHeldCalls;
  heartbeatMs?: number;
};

/**
 * Keeps the exec sessions of a worker, and its calls that wait for a person, in agreement with the database: the row of a
 * chat names the worker that has them. A row that names it no longer, as the chat was interrupted, archived or deleted,
 * ends them.
 */
export const createSessionPoller = (deps: PollerDeps) => {
  const { db, notifications, owner, newId, log, heartbeatMs = HEARTBEAT_MS } = deps;
  const logFailure = (what: string) => (error: unknown) => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };
  /** Chats that may have changed since they were checked. */
  const noticed = new Set<string>();
  const holds = createChatHolds({
    db,
    notifications,
    owner,
    isNeeded: (chatId) => sessions.has(chatId) || heldCalls.hasChat(chatId),
    onChange: (chatId) => {
      noticed.add(chatId);
      notices.trigger();
    },
    onFailure: logFailure("releasing chats"),
  });
  const sessions = createExecSessions({ holds });
  const heldCalls = deps.createHeldCalls({
    hold: async (chatId) => {
      const held = await holds.hold(chatId);
      // The chat was interrupted meanwhile, which ends its sessions.
      if (held === "taken") sessions.endChat(chatId);
      return held !== "refused";
    },
    release: holds.release,
    resume: (call) =>
      resumeQuestionCall({ db, newId }, call).catch((error: unknown) => {
        logFailure("resuming a call")(error);
        throw error;
      }),
    listOpen: (calls) => filterOpenCalls(db, calls),
  });

  const check = createCheck({ ...deps, holds, sessions, heldCalls });
  const checkNoticed = (): Promise<void> => {
    const chatIds = [...noticed];
    noticed.clear();
    return check.some(chatIds);
  };
  const poll = (what: string, run: () => Promise<void>) =>
    createPoller({ intervalMs: heartbeatMs, run, isBackground: true, onError: logFailure(what) });
  const checks = poll("checking what is held", check.all);
  const notices = poll("checking what has changed", checkNoticed);
  /** Also closes the questions of workers that have crashed. */
  const closing = poll("closing questions", () => endAbandonedCalls({ db, owner, newId }));
  // Those of a process before this one, if no other is left.
  closing.trigger();

  return {
    sessions,
    heldCalls,
    /** Ends all sessions, and all calls with their questions; other workers can claim their chats at once. */
    stop: async (): Promise<void> => {
      await Promise.all([checks.stop(), notices.stop(), closing.stop()]);
      await heldCalls.endAll();
      await endAbandonedCalls({ db, owner, newId }).catch(logFailure("closing questions"));
      await sessions.endAll();
      await deleteWorker(db, owner).catch(logFailure("removing the worker"));
    },
  };
};

type Checked = Pick<PollerDeps, "db" | "owner"> & {
  holds: ReturnType<typeof createChatHolds>;
  sessions: ExecSessions;
  heldCalls: ProcessHeldCalls;
};

/** Lets go what the rows do not name any more. Its functions reject when the database is away. */
const createCheck = ({ db, owner, holds, sessions, heldCalls }: Checked) => {
  const some = async (chatIds: readonly string[]): Promise<void> => {
    if (chatIds.length === 0) return;
    for (const chatId of await holds.listLost(chatIds)) {
      sessions.endChat(chatId);
      heldCalls.endChat(chatId);
    }
    await heldCalls.check(chatIds);
  };
  const all = async (): Promise<void> => {
    const chatIds = holds.chatIds();
    if (chatIds.length === 0) return;
    await recordHeartbeat(db, owner);
    await some(chatIds);
    // Those that are needed are kept.
    await holds.release(chatIds);
  };
  return { some, all };
};
