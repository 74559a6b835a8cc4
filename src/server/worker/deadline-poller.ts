import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { expireAction } from "@/server/chat/expire-action";
import { listExpiredActions } from "@/server/db/sql/machine/expired-actions";
import type { Database } from "@/server/db/connection/database";

/** Most expired actions that one run closes. */
const BATCH = 100;
/** A chat that could not be expired is left out for this long, so that it does not stop the others. */
const RETRY_MS = 60_000;

type DeadlinePollerDeps = {
  db: Database;
  newId: () => string;
  log: Logger;
};

/** Creates the job that closes the calls of parked chats whose deadline has passed. */
export const createDeadlinePoller = ({ db, newId, log }: DeadlinePollerDeps) => {
  /** Chats that failed, with the time of their next try by the process's monotonic clock. */
  const failed = new Map<string, number>();

  const run = async (): Promise<void> => {
    for (const [chatId, retryAt] of failed) if (retryAt <= performance.now()) failed.delete(chatId);
    const chatIds = await listExpiredActions(db, { limit: BATCH, except: [...failed.keys()] });
    for (const chatId of chatIds) {
      try {
        await expireAction(db, chatId, newId);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        failed.set(chatId, performance.now() + RETRY_MS);
        log.warn(
          { err: error, chatId },
          "the calls of a chat could not be closed at their deadline",
        );
      }
    }
  };
  return {
    /** Rejects only when the database is away. */
    run,
  };
};
