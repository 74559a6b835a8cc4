import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createOrphanedChats, type OrphanedChats } from "./orphaned-chats";
import { createPoller } from "@/lib/poller";
import { runTurn } from "@/server/turn/run-turn";
import type { StopReason, TurnDeps } from "@/server/turn/turn-deps";
import type { Database } from "@/server/db/connection/database";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import {
  claimChats,
  type ClaimedChat,
  type ClaimRoom,
  type ClaimNew,
} from "@/server/db/sql/machine/claim";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import { createClaimPoller } from "./claim-poller";
import { createDeadlinePoller } from "./deadline-poller";
import type { DuePoller } from "./due-poller";
import { createActiveTurns, type HeldTurn } from "./active-turns";
import { createFairSlots, createSearchThrottle, type Room, type TakenSlot } from "./fair-slots";

/** How soon a turn ends whose notification was lost. */
const CHECK_MS = 1_000;
/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** With so many turns, single new ones are left to the next claim: it takes several at a time, which costs less than one by one. */
const BATCHED_FROM = 4;
/** How long running steps may take to end when the process stops. */
const GRACE_MS = 20_000;

export type WorkerDeps = {
  db: Database;
  recent: Pick<RecentChanges, "add">;
  activity: WorkerActivity;
  notifications: Notifications;
  due: Pick<DuePoller, "subscribe" | "when">;
  /** Unique among processes; stored in the leases. */
  owner: string;
  /** Turns at the same time of one owner's chats at one provider; see `createFairSlots`. */
  concurrency: number;
  newId: () => string;
  log: Logger;
  createTurnDeps: (chat: ClaimedChat, worker: WorkerHooks) => TurnDeps;
  /** Runs in parallel with a turn, such as generating the title of its chat. */
  backgroundTask?: ((chat: ClaimedChat, signal: AbortSignal) => Promise<void>) | undefined;
  /** Called when a turn has ended or was given back, also after a failure. Must not throw. */
  onTurnEnd?: ((chatId: string) => void) | undefined;
  checkMs?: number;
  renewMs?: number;
  graceMs?: number;
};

/** A turn that a worker runs, in its slot. */
type SlottedTurn = HeldTurn & { slot: TakenSlot };

/** What a worker gives to each turn. */
export type WorkerHooks = SlottedTurn & Pick<TurnDeps, "onDeferred" | "claimNew" | "stopping">;

export type Worker = {
  claimNew: ClaimNew;
  /** Stops claiming, lets running steps finish, then releases the chats. */
  stop: () => Promise<void>;
};

/** Claims chats that need a worker and runs their turns, until it is stopped. */
export const createWorker = (deps: WorkerDeps): Worker => {
  const { db, owner, log, checkMs = CHECK_MS, renewMs = RENEW_MS, graceMs = GRACE_MS } = deps;
  const turns = createActiveTurns({ db, owner });
  const orphans = createOrphanedChats(turns, { db, owner, checkMs: renewMs, log });
  const callClaims = createClaimPoller(deps);
  const stopping = new AbortController();
  const logFailure = createFailureLog(log);
  const runner = createRunner(deps, {
    turns,
    orphans,
    stopping: stopping.signal,
    trigger: () => claim.trigger(),
    triggerAfter: (ms) => claim.triggerAfter(ms),
  });
  const poll = createPollers(logFailure);
  const claim = poll("claiming", () => orphans.release().then(runner.claim));
  const checks = poll(
    "checking chats",
    async () => {
      turns.dropOverdue();
      await turns.check(turns.ids());
    },
    checkMs,
  );
  const deadlines = poll("closing calls", createDeadlinePoller(deps).run);
  const claimEnds = poll("ending claims of calls", callClaims.run);
  const renewals = poll("renewing leases", turns.renew, renewMs);

  deps.due.subscribe((due) => {
    if (!due) return callClaims.holdOff();
    if (due.turns || orphans.isDue()) claim.trigger();
    else deps.activity.claimedAt = performance.now();
  });
  deps.due.when((due) => due.deadlines, deadlines.trigger);
  deps.due.when((due) => due.claims, claimEnds.trigger);

  const handleNotice = (notice: ChatNotice | undefined): void => {
    // Steps of running chats are announced too, but need no other worker.
    if (notice?.status === "running") return;
    // So is what this worker has claimed since.
    if (notice && turns.hasBegun(notice)) return;
    if (notice) turns.check([notice.chatId]).catch(logFailure("checking a chat"));
    claim.trigger();
  };
  const unsubscribe = deps.notifications.subscribeWork(handleNotice);
  deps.notifications.ready().then(claim.trigger, logFailure("listening"));
  claim.trigger();

  return {
    claimNew: runner.claimNew,
    stop: async () => {
      stopping.abort();
      unsubscribe();
      await Promise.all([claim.stop(), checks.stop(), deadlines.stop(), claimEnds.stop()]);
      await runner.claimsEnded();
      const grace = setTimeout(() => turns.abortAll("shutdown"), graceMs);
      await Promise.all([turns.ended(), runner.stop()]);
      clearTimeout(grace);
      await renewals.stop();
      deps.activity.claimedAt = undefined;
    },
  };
};

const createPollers =
  (logFailure: ReturnType<typeof createFailureLog>) =>
  (what: string, run: () => Promise<void>, intervalMs?: number) =>
    createPoller({
      ...(intervalMs !== undefined && { intervalMs }),
      run,
      onError: logFailure(what),
    });

/** The database logs an outage itself, once. */
const createFailureLog =
  (log: Logger) =>
  (what: string) =>
  (error: unknown): void => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };

type RunnerDeps = {
  turns: ReturnType<typeof createActiveTurns>;
  orphans: OrphanedChats;
  /** Aborted when no more chats are claimed. */
  stopping: AbortSignal;
  /** Claims once more, at once or after a time in milliseconds. */
  trigger: () => void;
  triggerAfter: (ms: number) => void;
};

/** Claims chats, as far as the worker has room for them, and starts their turns. */
const createRunner = (deps: WorkerDeps, runner: RunnerDeps) => {
  const { db, recent, owner, activity } = deps;
  const { turns, orphans, stopping, trigger, triggerAfter } = runner;
  const slots = createFairSlots(deps.concurrency, trigger);
  const search = createSearchThrottle(triggerAfter);
  activity.claimedAt = performance.now();
  const backgroundTasks = createBackgroundTasks(deps);
  const claims = createClaims({ owner, orphans }, (chat, claimedAt) => {
    recent.add({ chat, messages: [] });
    start(chat, claimedAt);
  });

  /** Claims chats that need a worker until there are no more, or no room is left. */
  const claim = async (): Promise<void> => {
    for (;;) {
      const room = slots.reserve(stopping.aborted ? 0 : undefined);
      const claimedAt = performance.now();
      const isPaused = !search.begin(room, claimedAt);
      const chats = isPaused ? [] : await claims.run(room, (given) => claimChats(db, given));
      activity.claimedAt = performance.now();
      if (isPaused) return room.end();
      if (chats.length < room.limit) return search.record(room.full, claimedAt);
    }
  };
  const claimNew: ClaimNew = async (most, run) => {
    const isBatched = most === 1 && slots.count() >= BATCHED_FROM;
    // Chats that wait for room come first.
    const isRefused = stopping.aborted || orphans.isReleasing() || search.mayFindMore();
    const room = slots.reserve(isBatched || isRefused ? 0 : most);
    const claimed = await claims.run(room, run);
    // Others may have been refused what was reserved.
    if (claimed.length < room.limit && search.mayFindMore()) trigger();
  };
  const start = (chat: ClaimedChat, claimedAt: number): void => {
    const slot = slots.take(chat.groups);
    turns.start({ chat, claimedAt }, (held) => run(chat, { ...held, slot }));
    if (deps.backgroundTask) backgroundTasks.start(deps.backgroundTask, chat);
  };
  /** Does not reject. */
  const run = async (chat: ClaimedChat, held: SlottedTurn): Promise<void> => {
    try {
      const hooks = { ...held, stopping, onDeferred: triggerAfter, claimNew };
      await orphans.watch(runTurn(deps.createTurnDeps(chat, hooks), chat));
    } catch (error) {
      createFailureLog(deps.log)(`a turn of ${chat.id}`)(error);
    } finally {
      held.slot.release();
      if (search.mayFindMore()) trigger();
      deps.onTurnEnd?.(chat.id);
    }
  };
  return { claim, claimNew, claimsEnded: claims.ended, stop: backgroundTasks.stop };
};

/** Runs statements that claim chats, and calls back for each of these. */
const createClaims = (
  { owner, orphans }: { owner: string; orphans: OrphanedChats },
  onClaimed: (chat: ClaimedChat, claimedAt: number) => void,
) => {
  const running = new Set<Promise<unknown>>();
  const claim = async (
    { limit, full, end }: Room,
    take: (room: ClaimRoom) => Promise<ClaimedChat[]>,
  ): Promise<ClaimedChat[]> => {
    const claimedAt = performance.now();
    const endClaim = orphans.beginClaim();
    try {
      const chats = await orphans.watch(take({ owner, limit, full }));
      for (const chat of chats) onClaimed(chat, claimedAt);
      return chats;
    } finally {
      end();
      endClaim();
    }
  };
  return {
    run: (...given: Parameters<typeof claim>): Promise<ClaimedChat[]> => {
      const claiming = claim(...given).finally(() => running.delete(claiming));
      running.add(claiming);
      return claiming;
    },
    /** Resolves when those that run have ended: requests claim chats, too. */
    ended: async (): Promise<void> => {
      await Promise.allSettled(running);
    },
  };
};

/** Runs tasks in parallel with turns; they are aborted when the worker stops. */
const createBackgroundTasks = ({ log }: WorkerDeps) => {
  const running = new Set<Promise<void>>();
  const controller = new AbortController();
  return {
    start: (task: NonNullable<WorkerDeps["backgroundTask"]>, chat: ClaimedChat): void => {
      const work = task(chat, controller.signal)
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
