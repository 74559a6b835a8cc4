import type { TurnSlot } from "@/server/turn/turn-deps";
import type { SlotGroups } from "@/server/db/sql/machine/claim";

/** Room for one claim. */
export type Room = {
  /** How many chats it may take at once, whichever they are. After as many, there may be room for more. */
  limit: number;
  /** The groups that have no free slot. */
  full: string[];
  /** Called when the chats that it has taken hold their slots. */
  end: () => void;
};

export type TakenSlot = TurnSlot & { release: () => void };

/** Slots for others, as a share of the concurrency: enough that several of them need not wait for each other. */
const RESERVED_SHARE = 1 / 4;

/**
 * Counts the turns of a worker, so that neither one owner nor one provider can hold all slots. The chats of one
 * owner at one provider have `concurrency` slots, which is all that a worker has for a single person. All chats
 * of one owner, or at one provider, have a reserve in addition, and the worker a second one. A yielded slot counts
 * for its provider only, so that silent providers do not delay the chats of other providers.
 *
 * @param onYield called when a slot was yielded.
 */
export const createFairSlots = (concurrency: number, onYield: () => void = () => undefined) => {
  const reserve = Math.ceil(concurrency * RESERVED_SHARE);
  const total = concurrency + 2 * reserve;
  const slots = new Set<{ names: SlotGroups; isYielded: boolean }>();
  /** Room that running claims have. */
  let reserved = 0;

  return {
    count: () => slots.size,
    /** Takes a slot at once, until it is released. */
    take: (names: SlotGroups): TakenSlot => {
      const slot = { names, isYielded: false };
      slots.add(slot);
      return {
        yield: () => {
          if (slot.isYielded) return;
          slot.isYielded = true;
          onYield();
        },
        reclaim: () => void (slot.isYielded = false),
        release: () => void slots.delete(slot),
      };
    },
    /** Reserves room for a claim, as others may run at the same time. */
    reserve: (most = Infinity): Room => {
      /** The free slots of each group that has turns. */
      const free = new Map<string, number>();
      let unused = total;
      for (const { names, isYielded } of slots) {
        const [owner, provider, both] = names;
        free.set(provider, (free.get(provider) ?? concurrency + reserve) - 1);
        free.set(both, (free.get(both) ?? concurrency) - 1);
        if (isYielded) continue;
        free.set(owner, (free.get(owner) ?? concurrency + reserve) - 1);
        unused -= 1;
      }
      const full = [...free].filter(([, count]) => count <= 0).map(([name]) => name);
      const open = [...free.values()].filter((count) => count > 0);
      const room = Math.min(unused, concurrency, ...open) - reserved;
      const limit = Math.max(Math.min(room, most), 0);
      reserved += limit;
      return { limit, full, end: () => void (reserved -= limit) };
    },
  };
};

/**
 * Time between two claims that find nothing because groups are full: each looks at all chats that wait in them, and
 * under load one would follow each notification.
 */
const SEARCH_MS = 200;

/** Delays a claim that would find nothing again. @param repeat is called with the time until it is due. */
export const createSearchThrottle = (repeat: (ms: number) => void) => {
  let last = { full: [] as string[], until: 0 };
  let isRepeated = false;
  let hasFoundAll = false;
  /** Whether a claim outside of these groups, or of fewer, has just found nothing. */
  const isTooSoon = (full: string[], at: number): boolean => {
    const isSame = last.full.length > 0 && last.full.every((name) => full.includes(name));
    if (!isSame || at >= last.until) return false;
    if (!isRepeated) repeat(last.until - at);
    isRepeated = true;
    return true;
  };
  return {
    /** Begins a claim. @returns false when it would find nothing, and is not carried out. */
    begin: ({ limit, full }: Pick<Room, "limit" | "full">, at: number): boolean => {
      hasFoundAll = false;
      return limit > 0 && !isTooSoon(full, at);
    },
    /** Whether a slot that becomes free has to be offered: chats may wait for which the last claim had none. */
    mayFindMore: (): boolean => !hasFoundAll,
    /** Records a claim that has left slots free. */
    record: (full: string[], at: number): void => {
      hasFoundAll = full.length === 0;
      last = { full, until: at + SEARCH_MS };
      isRepeated = false;
    },
  };
};
