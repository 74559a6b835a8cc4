import type { StopReason, TurnDeps } from "@/server/turn/turn-deps";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { LEASE_SECONDS } from "@/server/db/sql/rows/chat-row";
import type { ChatNotice } from "@/server/stream/notifications";
import { readLeasedStates, renewLeases } from "@/server/db/sql/machine/claim";

/** A worker that could not renew stops its turns this long before the lease ends. */
const LEASE_MARGIN_MS = 5_000;

type ActiveTurn = {
  chat: ChatRow;
  controller: AbortController;
  /** By the process's own monotonic clock. */
  renewedAt: number;
  done: Promise<void>;
};

/** What a turn has of its worker. */
export type HeldTurn = Pick<TurnDeps, "signal" | "isLeaseFresh">;

type ActiveTurnDeps = {
  db: Database;
  owner: string;
};

const isFresh = ({ renewedAt }: ActiveTurn): boolean =>
  renewedAt >= performance.now() - (LEASE_SECONDS * 1_000 - LEASE_MARGIN_MS);

/** The turns that this worker runs, with their leases. */
export const createActiveTurns = ({ db, owner }: ActiveTurnDeps) => {
  const turns = new Map<string, ActiveTurn>();
  const abort = (turn: ActiveTurn, reason: StopReason): void => turn.controller.abort(reason);

  return {
    ids: () => [...turns.keys()],
    leaseTokens: () => [...turns.values()].flatMap(({ chat }) => chat.leaseToken ?? []),
    /** Whether a turn was begun with this version of its chat, or a later one. */
    hasBegun: ({ chatId, version }: Pick<ChatNotice, "chatId" | "version">): boolean =>
      (turns.get(chatId)?.chat.version ?? 0) >= version,

    /** @param run must not reject. */
    start: (
      { chat, claimedAt }: { chat: ChatRow; claimedAt: number },
      run: (held: HeldTurn) => Promise<void>,
    ): void => {
      // The lease of an earlier turn ran out in this process, and that turn may not have ended yet.
      const before = turns.get(chat.id);
      if (before) abort(before, "lost");
      const controller = new AbortController();
      const turn: ActiveTurn = { chat, controller, renewedAt: claimedAt, done: Promise.resolve() };
      turns.set(chat.id, turn);
      turn.done = run({ signal: controller.signal, isLeaseFresh: () => isFresh(turn) }).finally(
        () => {
          if (turns.get(chat.id) === turn) turns.delete(chat.id);
        },
      );
    },

    /** Stops turns that were interrupted or taken away, as the database says. */
    check: async (chatIds: string[]): Promise<void> => {
      const watched = chatIds.filter((id) => turns.has(id));
      if (watched.length === 0) return;
      const held = new Map(watched.map((id) => [id, turns.get(id)]));
      const states = await readLeasedStates(db, watched);
      for (const [id, turn] of held) {
        const state = states.get(id);
        if (!turn) continue;
        if (state?.leaseToken !== turn.chat.leaseToken) abort(turn, "lost");
        else if (state.status === "interrupting") abort(turn, "interrupted");
      }
    },

    renew: async (): Promise<void> => {
      const held = [...turns.values()];
      if (held.length === 0) return;
      const at = performance.now();
      const leaseTokens = held.flatMap(({ chat }) => chat.leaseToken ?? []);
      const renewed = await renewLeases(db, { owner, leaseTokens });
      for (const turn of held) if (renewed.has(turn.chat.leaseToken ?? "")) turn.renewedAt = at;
    },

    /** Stops turns whose lease is about to end unrenewed. */
    dropOverdue: (): void => {
      for (const turn of turns.values()) if (!isFresh(turn)) abort(turn, "lost");
    },

    abortAll: (reason: StopReason): void => turns.forEach((turn) => abort(turn, reason)),

    /** Resolves when no turn runs any more, also none that one of them has begun meanwhile. */
    ended: async (): Promise<void> => {
      while (turns.size > 0) await Promise.all([...turns.values()].map(({ done }) => done));
    },
  };
};
