import type { Claim, Ledger } from "../ledger";

/** Each run of a call was given to one program, unless that has given it back. */
export const checkClaims = (ledger: Ledger): void => {
  const runs = new Map<string, Claim[]>();
  for (const claim of ledger.claims) {
    const run = `${claim.call}, run ${claim.attempt}`;
    runs.set(run, [...(runs.get(run) ?? []), claim]);
  }
  for (const [run, claims] of runs) {
    const holders = claims.filter(({ end }) => end !== "released").map(({ holder }) => holder);
    if (holders.length > 1) {
      ledger.report("doubled", `the call ${run} was given to ${holders.join(" and ")}`);
    }
  }
};
