import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createOrphanedChats, type OrphanedChats } from "./orphaned-chats";
import { createPoller } from "@/lib/poller";
import { runTurn } from "@/server/turn/run-turn";
import type { StopReason, TurnDeps } from "@/server/turn/turn-deps";
import type { Database } from "@/server/db/connection/database";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import { createActionExpirer } from "./action-expirer";
import { createActiveTurns } from "./active-turns";
import { createClaims, type SlottedTurn } from "./claims";

/** Backs up the notifications, which may be lost. */
const POLL_MS = 1_000;
/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** How long running steps may take to end when the process stops. */
const GRACE_MS = 20_000;

export type WorkerDeps = {
  db: Database;
  notifications: Notifications;
  /** Unique among processes; stored in the leases. */
  owner: string;
  /** Turns at the same time of one owner's chats at one provider; see `createFairSlots`. */
  concurrency: number;
  newId: () => string;
  log: Logger;
  createTurnDeps: (chat: ClaimedChat, worker: WorkerHooks) => TurnDeps;
  /** Runs in parallel with a turn, such as generating the title of its chat. */
  backgroundTask: (chat: ClaimedChat, signal: AbortSignal) => Promise<void>;
  pollMs?: number;
  renewMs?: number;
  graceMs?: number;
};

/** What a worker gives to each turn. */
export type WorkerHooks = Pick<TurnDeps, "onDeferred" | "claimNew"> &
  SlottedTurn & {
    /** Aborted when the process begins to stop. */
    stopping: AbortSignal;
  };

export type Worker = {
  /** Stops claiming, lets running steps finish, then releases the chats. */
  stop: () => Promise<void>;
};

/** Claims chats that need a worker and runs their turns, until it is stopped. */
export const createWorker = (deps: WorkerDeps): Worker => {
  const { db, owner, log, pollMs = POLL_MS, renewMs = RENEW_MS, graceMs = GRACE_MS } = deps;
  const turns = createActiveTurns({ db, owner, onEnd: () => claim.trigger() });
  const orphans = createOrphanedChats(turns, { db, owner, checkMs: renewMs, log });
  const backgroundTasks = createBackgroundTasks(deps);
  const expirer = createActionExpirer(deps);
  const stopping = new AbortController();
  const logFailure = createFailureLog(log);
  const claims = createClaims({
    db,
    owner,
    concurrency: deps.concurrency,
    orphans,
    stopping: stopping.signal,
    onClaimed: ({ chat, claimedAt }, inSlot) => {
      const { claimNew } = claims;
      const hooks = { stopping: stopping.signal, onDeferred: claim.triggerAfter, claimNew };
      turns.start({ chat, claimedAt }, inSlot(runClaimed(deps, { chat, orphans, hooks })));
      backgroundTasks.start(chat);
    },
    trigger: () => claim.trigger(),
    triggerAfter: (ms) => claim.triggerAfter(ms),
  });
  const poll = createPollers(logFailure);
  const claim = poll("claiming", pollMs, () => orphans.release().then(claims.claimFree));
  const checks = poll("checking chats", pollMs, async () => {
    turns.dropOverdue();
    await turns.check(turns.ids());
    await expirer.run();
  });
  const renewals = poll("renewing leases", renewMs, turns.renew);

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
      stopping.abort();
      claims.end();
      unsubscribe();
      await Promise.all([claim.stop(), checks.stop()]);
      const grace = setTimeout(() => turns.abortAll("shutdown"), graceMs);
      await Promise.all([turns.ended(), backgroundTasks.stop()]);
      clearTimeout(grace);
      await renewals.stop();
    },
  };
};

const createPollers =
  (logFailure: ReturnType<typeof createFailureLog>) =>
  (what: string, intervalMs: number, run: () => Promise<void>) =>
    createPoller({ intervalMs, run, onError: logFailure(what) });

/** The database logs an outage itself, once. */
const createFailureLog =
  (log: Logger) =>
  (what: string) =>
  (error: unknown): void => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };

type Claimed = {
  chat: ClaimedChat;
  orphans: OrphanedChats;
  hooks: Omit<WorkerHooks, keyof SlottedTurn>;
};

/** @returns a function that runs the chat's turn and does not reject. */
const runClaimed =
  ({ createTurnDeps, log }: WorkerDeps, { chat, orphans, hooks }: Claimed) =>
  async (held: SlottedTurn): Promise<void> => {
    try {
      await orphans.watch(runTurn(createTurnDeps(chat, { ...hooks, ...held }), chat));
    } catch (error) {
      createFailureLog(log)(`a turn of ${chat.id}`)(error);
    }
  };

/** Runs tasks in parallel with turns; they are aborted when the worker stops. */
const createBackgroundTasks = ({ backgroundTask, log }: WorkerDeps) => {
  const running = new Set<Promise<void>>();
  const controller = new AbortController();
  return {
    start: (chat: ClaimedChat): void => {
      const work = backgroundTask(chat, controller.signal)
        .catch((error: unknown) => {
          if (isUnavailable(error)) return;
          log.warn({ err: error, chatId: chat.id }, "background task failed");
        })
        .finally(() => running.delete(work));
      running.add(work);
    },
    stop: async (): Promise<void> => {
      controller.abort("shutdown" satisfies StopReason);
      await Promise.all(running);
    },
  };
};
