import type { Logger } from "pino";
import { expireAction } from "@/server/chat/expire-action";
import { listExpiredActions } from "@/server/db/sql/machine/expired-actions";
import type { Database } from "@/server/db/connection/database";
import { createEndEach } from "./end-each";

/** Most expired actions that one run closes. */
const BATCH = 100;

type DeadlinePollerDeps = {
  db: Database;
  newId: () => string;
  log: Logger;
};

/** Creates the job that closes the calls of parked chats whose deadline has passed. */
export const createDeadlinePoller = ({ db, newId, log }: DeadlinePollerDeps) => ({
  /** Rejects only when the database is away. */
  run: createEndEach({
    list: (except) => listExpiredActions(db, { limit: BATCH, except }),
    toKey: (chatId) => chatId,
    end: (chatId) => expireAction(db, chatId, newId),
    onFailure: (chatId, error) => {
      log.warn({ err: error, chatId }, "the calls of a chat could not be closed at their deadline");
    },
  }),
});
