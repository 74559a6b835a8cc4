import type { Logger } from "pino";
import { expireAction } from "@/server/chat/expire-action";
import { runTurn } from "@/server/chat/run-turn";
import type { StopReason, TurnDeps } from "@/server/chat/turn-deps";
import type { Database } from "@/server/db/database";
import { recentChanges } from "@/server/db/recent-changes";
import { type ClaimedChat, claimChats } from "@/server/db/sql/claim";
import { listExpiredActions } from "@/server/db/action-reads";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import { createActiveTurns } from "./active-turns";
import { createPoller } from "./poller";

/** Backs up the notifications, which may be lost. */
const POLL_MS = 1_000;
/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** How long running steps may take to end when the process stops. */
const GRACE_MS = 20_000;
/** Most expired actions that one poll closes. */
const EXPIRED_BATCH = 100;

export type WorkerDeps = {
  db: Database;
  notifications: Notifications;
  /** Unique among processes; stored in the leases. */
  owner: string;
  /** Turns at the same time. */
  concurrency: number;
  newId: () => string;
  log: Logger;
  createTurnDeps: (chat: ClaimedChat, stop: Pick<TurnDeps, "signal" | "isStopping">) => TurnDeps;
  /** Runs in parallel with a turn, such as generating the title of its chat. */
  backgroundTask: (chat: ClaimedChat, signal: AbortSignal) => Promise<void>;
  pollMs?: number;
  renewMs?: number;
  graceMs?: number;
};

export type Worker = {
  /** Stops claiming, lets running steps finish, then releases the chats. */
  stop: () => Promise<void>;
};

/** Claims chats that need a worker and runs their turns, until it is stopped. */
export const createWorker = (deps: WorkerDeps): Worker => {
  const { db, owner, log, pollMs = POLL_MS, renewMs = RENEW_MS, graceMs = GRACE_MS } = deps;
  const turns = createActiveTurns({ db, owner, onEnd: () => claim.trigger() });
  const backgroundTasks = createBackgroundTasks(deps);
  const recent = recentChanges(db);
  let isStopping = false;
  const logFailure = (what: string) => (error: unknown) =>
    log.warn({ err: error }, `${what} failed`);

  const run = (chat: ClaimedChat) => async (signal: AbortSignal) => {
    try {
      await runTurn(deps.createTurnDeps(chat, { signal, isStopping: () => isStopping }), chat);
    } catch (error) {
      log.error({ err: error, chatId: chat.id }, "turn failed unexpectedly");
    }
  };
  const claimFree = async (): Promise<void> => {
    const limit = deps.concurrency - turns.size();
    if (limit <= 0) return;
    const claimedAt = performance.now();
    for (const chat of await claimChats(db, { owner, limit })) {
      recent.add({ chat, messages: [] });
      turns.start({ chat, claimedAt }, run(chat));
      backgroundTasks.start(chat);
    }
  };
  const checkAll = async (): Promise<void> => {
    turns.dropOverdue();
    await turns.check(turns.ids());
    for (const chatId of await listExpiredActions(db, EXPIRED_BATCH)) {
      await expireAction(db, chatId, deps.newId);
    }
  };
  const claim = createPoller(pollMs, claimFree, logFailure("claiming"));
  const checks = createPoller(pollMs, checkAll, logFailure("checking chats"));
  const renewals = createPoller(renewMs, turns.renew, logFailure("renewing leases"));

  const handleNotice = (notice: ChatNotice | undefined): void => {
    // Steps of running chats are announced too, but need no other worker.
    if (notice?.status === "running") return;
    if (notice && turns.has(notice.chatId)) {
      turns.check([notice.chatId]).catch(logFailure("checking a chat"));
    }
    claim.trigger();
  };
  const unsubscribe = deps.notifications.subscribeWork(handleNotice);
  deps.notifications.ready().then(claim.trigger, logFailure("listening"));
  claim.trigger();

  return {
    stop: async () => {
      isStopping = true;
      unsubscribe();
      await Promise.all([claim.stop(), checks.stop()]);
      const grace = setTimeout(() => turns.abortAll("shutdown"), graceMs);
      await Promise.all([turns.ended(), backgroundTasks.stop()]);
      clearTimeout(grace);
      await renewals.stop();
    },
  };
};

/** Runs tasks in parallel with turns; they are aborted when the worker stops. */
const createBackgroundTasks = ({ backgroundTask, log }: WorkerDeps) => {
  const running = new Set<Promise<void>>();
  const controller = new AbortController();
  return {
    start: (chat: ClaimedChat): void => {
      const work = backgroundTask(chat, controller.signal)
        .catch((error: unknown) =>
          log.warn({ err: error, chatId: chat.id }, "background task failed"),
        )
        .finally(() => running.delete(work));
      running.add(work);
    },
    stop: async (): Promise<void> => {
      controller.abort("shutdown" satisfies StopReason);
      await Promise.all(running);
    },
  };
};
