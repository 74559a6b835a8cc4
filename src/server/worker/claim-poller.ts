import type { Logger } from "pino";
import { expireClaim } from "@/server/chat/expire-claim";
import type { Database } from "@/server/db/connection/database";
import { listExpiredClaims } from "@/server/db/sql/machine/call-claims";
import { createEndEach } from "./end-each";

/** Most claims that one run ends. */
const BATCH = 100;
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
    /** Lets programs renew first that could not reach this server. */
    holdOff,
    /** Rejects only when the database is away. */
    run: async (): Promise<void> => {
      if (readTime() < beginsAt) return;
      try {
        await end();
      } catch (error) {
        holdOff();
        throw error;
      }
    },
  };
};
