import type { Logger } from "pino";
import { expireAction } from "@/server/chat/expire-action";
import { runTurn } from "@/server/chat/run-turn";
import type { StopReason, TurnPorts } from "@/server/chat/turn-ports";
import type { Database } from "@/server/db/database";
import { recentChanges } from "@/server/db/recent-changes";
import { type ClaimedChat, claimChats } from "@/server/db/sql/claim";
import { listExpiredActions } from "@/server/db/sql/expired-actions";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import { createActiveTurns } from "./active-turns";
import { every } from "./every";

/** Behind the notifications, which may be lost. */
const POLL_MS = 1_000;
/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** What a step gets to end by itself when the process stops. */
const GRACE_MS = 20_000;
/** Expired actions that one poll closes. */
const EXPIRED_BATCH = 100;

export type WorkerSeams = {
  db: Database;
  notifications: Notifications;
  /** Unique among processes; stands in the leases. */
  owner: string;
  /** Turns at the same time. */
  concurrency: number;
  newId: () => string;
  log: Logger;
  turnPorts: (chat: ClaimedChat, stop: Pick<TurnPorts, "signal" | "isStopping">) => TurnPorts;
  /** Work beside a turn, such as its chat's title. */
  beside: (chat: ClaimedChat, signal: AbortSignal) => Promise<void>;
  pollMs?: number;
  renewMs?: number;
  graceMs?: number;
};

export type Worker = {
  /** Ends claiming, lets steps finish, then gives chats back. */
  stop: () => Promise<void>;
};

/** Claims chats that need a worker and runs their turns, until it is stopped. */
export const createWorker = (seams: WorkerSeams): Worker => {
  const { db, owner, log, pollMs = POLL_MS, renewMs = RENEW_MS, graceMs = GRACE_MS } = seams;
  const turns = createActiveTurns({ db, owner, onEnd: () => claim.now() });
  const beside = createBeside(seams);
  const recent = recentChanges(db);
  let stopping = false;
  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} failed`);

  const run = (chat: ClaimedChat) => async (signal: AbortSignal) => {
    try {
      await runTurn(seams.turnPorts(chat, { signal, isStopping: () => stopping }), chat);
    } catch (error) {
      log.error({ err: error, chatId: chat.id }, "turn broke off");
    }
  };
  const claimFree = async (): Promise<void> => {
    const limit = seams.concurrency - turns.size();
    if (limit <= 0) return;
    const claimedAt = performance.now();
    for (const chat of await claimChats(db, { owner, limit })) {
      recent.add({ chat, messages: [] });
      turns.start({ chat, claimedAt }, run(chat));
      beside.start(chat);
    }
  };
  const checkAll = async (): Promise<void> => {
    turns.dropOverdue();
    await turns.check(turns.ids());
    for (const chatId of await listExpiredActions(db, EXPIRED_BATCH)) {
      await expireAction(db, chatId, seams.newId);
    }
  };
  const claim = every(pollMs, claimFree, failed("claiming"));
  const checks = every(pollMs, checkAll, failed("checking chats"));
  const renewals = every(renewMs, turns.renew, failed("renewing leases"));

  const hear = (notice: ChatNotice | undefined): void => {
    // Running chats are announced with each of their steps; they need nobody else.
    if (notice?.status === "running") return;
    if (notice && turns.has(notice.chatId)) {
      turns.check([notice.chatId]).catch(failed("checking a chat"));
    }
    claim.now();
  };
  const unsubscribe = seams.notifications.subscribeWork(hear);
  seams.notifications.ready().then(claim.now, failed("listening"));
  claim.now();

  return {
    stop: async () => {
      stopping = true;
      unsubscribe();
      await Promise.all([claim.stop(), checks.stop()]);
      const grace = setTimeout(() => turns.abortAll("shutdown"), graceMs);
      await Promise.all([turns.ended(), beside.stop()]);
      clearTimeout(grace);
      await renewals.stop();
    },
  };
};

/** Work that goes on beside turns, and is given up when the worker stops. */
const createBeside = ({ beside, log }: WorkerSeams) => {
  const running = new Set<Promise<void>>();
  const controller = new AbortController();
  return {
    start: (chat: ClaimedChat): void => {
      const work = beside(chat, controller.signal)
        .catch((error: unknown) =>
          log.warn({ err: error, chatId: chat.id }, "work beside a turn failed"),
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
