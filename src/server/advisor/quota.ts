import { AdvisorResult } from "@/contract/advisor";

/** The uses of one turn. A use is taken before the model is called, so two calls cannot share it. */
export type Quota = {
  /** @returns false when none is left. */
  take: () => boolean;
  /** Gives a use back that brought no advice. */
  giveBack: () => void;
  /** Null when there is no limit. */
  remaining: () => number | null;
};

/**
 * @param maxUses null is no limit.
 * @param used uses that committed outcomes of the turn stand for.
 */
export const createQuota = (maxUses: number | null, used: number): Quota => {
  let taken = used;
  return {
    take: () => {
      if (maxUses !== null && taken >= maxUses) return false;
      taken++;
      return true;
    },
    giveBack: () => {
      taken--;
    },
    remaining: () => (maxUses === null ? null : Math.max(0, maxUses - taken)),
  };
};

/** How many of these stored outcomes of advisor calls were uses: those that are advice. */
export const countUses = (outputs: readonly unknown[]): number =>
  outputs.filter((output) => {
    const parsed = AdvisorResult.safeParse(output);
    return parsed.success && parsed.data.type === "advice";
  }).length;
