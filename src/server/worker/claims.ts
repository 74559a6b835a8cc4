import type { ClaimNew } from "@/server/agents/running-steps";
import type { TurnDeps } from "@/server/turn/turn-deps";
import type { Database } from "@/server/db/connection/database";
import { recentChanges } from "@/server/db/chats/recent-changes";
import { claimChats, type ClaimedChat, type ClaimRoom } from "@/server/db/sql/machine/claim";
import { workerActivity } from "@/server/stream/worker-activity";
import type { HeldTurn } from "./active-turns";
import { createFairSlots, createSearchThrottle, type Room } from "./fair-slots";
import type { OrphanedChats } from "./orphaned-chats";

/** What a turn has while it is in a slot. */
export type SlottedTurn = HeldTurn & Pick<TurnDeps, "slot">;

type InSlot = (run: (held: SlottedTurn) => Promise<void>) => (held: HeldTurn) => Promise<void>;

type ClaimsDeps = {
  db: Database;
  owner: string;
  /** Turns at the same time of one owner's chats at one provider. */
  concurrency: number;
  orphans: Pick<OrphanedChats, "watch" | "beginClaim" | "isReleasing">;
  /** Aborted when no more chats are claimed. */
  stopping: AbortSignal;
  /** Begins the turn of a claimed chat. @param inSlot takes its slot, which the turn that it returns releases. */
  onClaimed: (claimed: { chat: ClaimedChat; claimedAt: number }, inSlot: InSlot) => void;
  /** Claims once more, at once or after a time in milliseconds. */
  trigger: () => void;
  triggerAfter: (ms: number) => void;
};

/** Claims chats for a worker, as far as it has room for them, and begins their turns. */
export const createClaims = (deps: ClaimsDeps) => {
  const { db, owner, orphans, stopping, onClaimed } = deps;
  const slots = createFairSlots(deps.concurrency, () => deps.trigger());
  const search = createSearchThrottle(deps.triggerAfter);
  const activity = workerActivity(db).register();

  const claimInto = async (
    { limit, full, end }: Room,
    take: (room: ClaimRoom) => Promise<ClaimedChat[]>,
  ): Promise<ClaimedChat[]> => {
    const claimedAt = performance.now();
    const endClaim = orphans.beginClaim();
    try {
      const chats = await orphans.watch(take({ owner, limit, full }));
      for (const chat of chats) {
        onClaimed({ chat, claimedAt }, (run) => slots.hold(chat.groups, run));
      }
      return chats;
    } finally {
      end();
      endClaim();
    }
  };

  const claimWaiting = async (room: ClaimRoom): Promise<ClaimedChat[]> => {
    const chats = await claimChats(db, room);
    for (const chat of chats) recentChanges(db).add({ chat, messages: [] });
    return chats;
  };

  return {
    /** Claims chats that need a worker until there are no more, or no room is left. */
    claimFree: async (): Promise<void> => {
      for (;;) {
        const room = slots.reserve(stopping.aborted ? 0 : undefined);
        const claimedAt = performance.now();
        const isPaused = room.limit === 0 || search.isTooSoon(room.full, claimedAt);
        const chats = isPaused ? [] : await claimInto(room, claimWaiting);
        activity.report();
        if (isPaused) return room.end();
        if (chats.length < room.limit) return search.record(room.full, claimedAt);
      }
    },
    claimNew: (async (most, insert) => {
      const room = slots.reserve(stopping.aborted || orphans.isReleasing() ? 0 : most);
      const claimed = await claimInto(room, insert);
      // Others may have been refused what was reserved.
      if (claimed.length < room.limit) deps.trigger();
    }) satisfies ClaimNew,
    end: activity.end,
  };
};
