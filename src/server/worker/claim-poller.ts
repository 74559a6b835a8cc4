import type { Logger } from "pino";
import { expireClaim } from "@/server/chat/expire-claim";
import type { Database } from "@/server/db/connection/database";
import { listExpiredClaims } from "@/server/db/sql/machine/call-claims";
import { createEndEach } from "./end-each";

/** Most claims that one run ends. */
const BATCH = 100;
/** Runs are a second apart. After a longer pause the process, or its machine, was stopped. */
const MAX_PAUSE_MS = 10_000;
/**
 * How long no lease ends after a start and after an outage: programs that could not reach the server renew theirs first. Longer
 * than they wait between two tries.
 */
const HOLD_OFF_MS = 30_000;

type ClaimPollerDeps = {
  db: Database;
  newId: () => string;
  log: Logger;
  holdOffMs?: number;
  /** The process's monotonic clock, in milliseconds. */
  readTime?: () => number;
};

/** Creates the job that ends claims whose lease has run out. */
export const createClaimPoller = ({
  db,
  newId,
  log,
  holdOffMs = HOLD_OFF_MS,
  readTime = () => performance.now(),
}: ClaimPollerDeps) => {
  let beginsAt = readTime() + holdOffMs;
  let lastRunAt = readTime();
  const holdOff = (): void => {
    beginsAt = readTime() + holdOffMs;
  };

  const end = createEndEach({
    list: (except) => listExpiredClaims(db, { limit: BATCH, except }),
    toKey: ({ token }) => token,
    end: (claim) => expireClaim(db, claim, newId),
    onFailure: ({ chatId, toolCallId }, error) => {
      log.warn({ err: error, chatId, toolCallId }, "a claim could not be ended with its lease");
    },
  });
  return {
    /** Rejects only when the database is away. */
    run: async (): Promise<void> => {
      const now = readTime();
      if (now - lastRunAt > MAX_PAUSE_MS) holdOff();
      lastRunAt = now;
      if (now < beginsAt) return;
      try {
        await end();
      } catch (error) {
        holdOff();
        throw error;
      }
    },
  };
};
