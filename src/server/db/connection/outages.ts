import { log } from "@/server/log";
import type { DatabaseFailure, FailureKind } from "./database-failure";

export type DatabaseStatus = {
  /** False from the first failure of an outage until a success after it. */
  isAvailable: boolean;
  /** True also while it accepts no changes. */
  isReachable: boolean;
  /** True from the first call on that could not read its data: nothing in this process can find out that all is repaired. */
  isDamaged: boolean;
  /** Outages since the start of the process. */
  outages: number;
};

/** For a while some connections fail and others work. Without this delay, each change would count as an outage. */
const QUIET_MS = 5_000;

const SENTENCES: Partial<Record<FailureKind, string>> = {
  unreachable: "the database is unreachable: requests get 503 until it is back",
  unwritable: "the database accepts no changes: writes get 503 until it does",
};

type Outage = { since: number; lastFailureAt: number };

/**
 * Logs and counts outages of a database: one line when it begins and one when it is over.
 *
 * @param database which one, for the log.
 */
export const createOutages = (database: string) => {
  const open = new Map<FailureKind, Outage>();
  let count = 0;
  let isDamaged = false;

  const recordDamage = (reason: string): void => {
    if (isDamaged) return;
    isDamaged = true;
    log().error(
      { database, reason },
      "data of the database is damaged: requests that need it get 503, and /readyz is 503 until the next start",
    );
  };

  return {
    recordFailure: ({ kind, causeMessage: reason }: DatabaseFailure): void => {
      if (kind === "damaged") recordDamage(reason);
      const sentence = SENTENCES[kind];
      // A single statement that is slow, or in the way of another one, is no outage.
      if (sentence === undefined) return;
      const now = performance.now();
      const outage = open.get(kind);
      if (outage) {
        outage.lastFailureAt = now;
        return;
      }
      open.set(kind, { since: now, lastFailureAt: now });
      count += 1;
      log().error({ database, reason }, sentence);
    },
    /** @param isWrite a database that cannot be written may still be read. */
    recordSuccess: (isWrite: boolean): void => {
      if (open.size === 0) return;
      const now = performance.now();
      for (const [kind, { since, lastFailureAt }] of open) {
        if ((kind === "unwritable" && !isWrite) || now - lastFailureAt < QUIET_MS) continue;
        open.delete(kind);
        const seconds = Math.round((now - since) / 1_000);
        log().info({ database, seconds }, "the database works again");
      }
    },
    status: (): DatabaseStatus => ({
      isAvailable: open.size === 0,
      isReachable: !open.has("unreachable"),
      isDamaged,
      outages: count,
    }),
  };
};
