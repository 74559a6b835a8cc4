import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import { addSearchEntries } from "@/server/db/sql/machine/search-entries";

/** How soon the search has what was written without entries for it, if it is little. */
const CHECK_MS = 2_000;
/** An archive of tens of thousands of messages. */
const MAX_RUN_MS = 60 * 60_000;

type SearchIndexerDeps = { db: Database; log: Logger; checkMs?: number };

/**
 * Gives the search the texts of forks, histories and imports, in small steps. After each it waits as long as the step took,
 * so that others have at least half of the embedded database.
 */
export const createSearchIndexer = ({ db, log, checkMs = CHECK_MS }: SearchIndexerDeps) => {
  const controller = new AbortController();
  const run = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      const startedAt = performance.now();
      if ((await addSearchEntries(db)) === 0) return;
      await delay(performance.now() - startedAt, undefined, { signal: controller.signal });
    }
  };
  const poller = createPoller({
    intervalMs: checkMs,
    run,
    onError: (error) => {
      if (controller.signal.aborted || isUnavailable(error)) return;
      log.warn({ err: error }, "giving texts to the search failed");
    },
    maxRunMs: MAX_RUN_MS,
  });
  poller.trigger();
  return {
    stop: (): Promise<void> => {
      controller.abort();
      return poller.stop();
    },
  };
};
