import type { Logger } from "pino";
import { expireAction } from "@/server/chat/expire-action";
import { runTurn } from "@/server/chat/run-turn";
import type { StopReason, TurnPorts } from "@/server/chat/turn-ports";
import type { Database } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";
import {
  claimChats,
  LEASE_SECONDS,
  listExpiredActions,
  readLeasedStates,
  renewLeases,
} from "@/server/db/turn-writes";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import { every } from "./every";

/** Behind the notifications, which may be lost. */
const POLL_MS = 1_000;
/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** A worker that could not renew lets go this long before others may take over. */
const LEASE_MARGIN_MS = 5_000;
/** What a step gets to end by itself when the process stops. */
const GRACE_MS = 20_000;
/** Expired actions that one poll closes. */
const EXPIRED_BATCH = 100;

type WorkerSeams = {
  db: Database;
  notifications: Notifications;
  /** Unique among processes; stands in the leases. */
  owner: string;
  /** Turns at the same time. */
  concurrency: number;
  newId: () => string;
  log: Logger;
  turnPorts: (chat: ChatRow, stop: Pick<TurnPorts, "signal" | "isStopping">) => TurnPorts;
  /** Work beside a turn, such as its chat's title; settles by itself. */
  beside: (chat: ChatRow, signal: AbortSignal) => Promise<void>;
  pollMs?: number;
};

type Active = {
  chat: ChatRow;
  controller: AbortController;
  /** By the process's own monotonic clock. */
  renewedAt: number;
  done: Promise<void>;
};

export type Worker = {
  /** Ends claiming, lets steps finish, then gives chats back. */
  stop: () => Promise<void>;
};

/** Claims chats that need a worker and runs their turns, until it is stopped. */
export const createWorker = (seams: WorkerSeams): Worker => {
  const { db, notifications, owner, concurrency, newId, log } = seams;
  const active = new Map<string, Active>();
  const background = new Set<Promise<void>>();
  const besides = new AbortController();
  let stopping = false;

  const abort = (entry: Active, reason: StopReason): void => entry.controller.abort(reason);

  const start = (chat: ChatRow, renewedAt: number): void => {
    const controller = new AbortController();
    const ports = seams.turnPorts(chat, {
      signal: controller.signal,
      isStopping: () => stopping,
    });
    const done = runTurn(ports, chat)
      .catch((error: unknown) => log.error({ err: error, chatId: chat.id }, "turn broke off"))
      .finally(() => {
        if (active.get(chat.id)?.controller === controller) active.delete(chat.id);
        if (!stopping) claim.now();
      });
    active.set(chat.id, { chat, controller, renewedAt, done });
    const beside = seams
      .beside(chat, besides.signal)
      .catch((error: unknown) =>
        log.warn({ err: error, chatId: chat.id }, "work beside a turn failed"),
      )
      .finally(() => background.delete(beside));
    background.add(beside);
  };

  const claimFree = async (): Promise<void> => {
    const limit = concurrency - active.size;
    if (stopping || limit <= 0) return;
    const at = performance.now();
    const claimed = await claimChats(db, { owner, limit });
    for (const chat of claimed) {
      // A lease of ours that ran out: the turn before it may still be letting go.
      const before = active.get(chat.id);
      if (before) abort(before, "lost");
      start(chat, at);
    }
  };

  /** Reads where chats stand that may have been interrupted or taken away. */
  const check = async (chatIds: string[]): Promise<void> => {
    const watched = chatIds.filter((id) => active.has(id));
    if (watched.length === 0) return;
    const states = await readLeasedStates(db, watched);
    for (const id of watched) {
      const entry = active.get(id);
      const state = states.get(id);
      if (!entry) continue;
      if (state?.leaseToken !== entry.chat.leaseToken) abort(entry, "lost");
      else if (state.status === "interrupting") abort(entry, "interrupted");
    }
  };

  const expire = async (): Promise<void> => {
    for (const chatId of await listExpiredActions(db, EXPIRED_BATCH)) {
      await expireAction(db, chatId, newId);
    }
  };

  const renew = async (): Promise<void> => {
    const entries = [...active.values()];
    if (entries.length === 0) return;
    const at = performance.now();
    const tokens = entries.flatMap(({ chat }) => chat.leaseToken ?? []);
    const held = await renewLeases(db, { owner, leaseTokens: tokens });
    for (const entry of entries) {
      if (held.has(entry.chat.leaseToken ?? "")) entry.renewedAt = at;
    }
  };

  const dropOverdue = (): void => {
    const limit = performance.now() - (LEASE_SECONDS * 1_000 - LEASE_MARGIN_MS);
    for (const entry of active.values()) if (entry.renewedAt < limit) abort(entry, "lost");
  };

  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} failed`);
  const claim = every(seams.pollMs ?? POLL_MS, claimFree, failed("claiming"));
  const checks = every(
    seams.pollMs ?? POLL_MS,
    async () => {
      dropOverdue();
      await check([...active.keys()]);
      await expire();
    },
    failed("checking chats"),
  );
  const renewals = every(RENEW_MS, renew, failed("renewing leases"));

  const hear = (notice: ChatNotice | undefined): void => {
    if (notice === undefined || !active.has(notice.chatId)) return claim.now();
    if (notice.status === "running") return;
    check([notice.chatId]).catch(failed("checking a chat"));
    if (notice.status === "pending") claim.now();
  };
  const hearWork = (notice: ChatNotice | undefined): void => {
    // Other workers' running chats are announced with each of their steps.
    if (notice?.status !== "running" || active.has(notice.chatId)) hear(notice);
  };
  const unsubscribe = notifications.subscribeWork(hearWork);
  notifications.ready().then(claim.now, failed("listening"));
  claim.now();

  const stop = async (): Promise<void> => {
    stopping = true;
    unsubscribe();
    await Promise.all([claim.stop(), checks.stop()]);
    besides.abort("shutdown" satisfies StopReason);
    const grace = setTimeout(() => {
      for (const entry of active.values()) abort(entry, "shutdown");
    }, GRACE_MS);
    await Promise.all([...active.values()].map(({ done }) => done));
    await Promise.all(background);
    clearTimeout(grace);
    await renewals.stop();
  };

  return { stop };
};
