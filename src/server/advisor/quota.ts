import { AdvisorResult } from "@/contract/advisor";

/** The uses of one turn, reserved before the model is called and released without advice. */
export type Quota = {
  /** @returns false when no use remains. */
  reserve: () => boolean;
  release: () => void;
  /** @returns null when there is no limit. */
  remaining: () => number | null;
};

/**
 * Creates the quota of a turn.
 *
 * @param maxUses null means no limit.
 * @param used uses that the turn has already committed.
 */
export const createQuota = (maxUses: number | null, used: number): Quota => {
  let reserved = used;
  return {
    reserve: () => {
      if (maxUses !== null && reserved >= maxUses) return false;
      reserved++;
      return true;
    },
    release: () => {
      reserved--;
    },
    remaining: () => (maxUses === null ? null : Math.max(0, maxUses - reserved)),
  };
};

/** Counts the stored outputs of advisor calls that are advice; only those count as uses. */
export const countUses = (outputs: readonly unknown[]): number =>
  outputs.filter((output) => {
    const parsed = AdvisorResult.safeParse(output);
    return parsed.success && parsed.data.type === "advice";
  }).length;
