import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import type { DuePoller } from "./due-poller";
import { addSearchEntries } from "@/server/db/sql/machine/search-entries";

/** An archive of tens of thousands of messages. */
const MAX_RUN_MS = 60 * 60_000;

type SearchIndexerDeps = { db: Database; log: Logger; due: Pick<DuePoller, "when"> };

/**
 * Gives the search the texts of forks, histories and imports, in small steps. After each it waits as long as the step took,
 * so that others have at least half of the embedded database.
 */
export const createSearchIndexer = ({ db, log, due }: SearchIndexerDeps) => {
  const controller = new AbortController();
  const run = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      const startedAt = performance.now();
      if ((await addSearchEntries(db)) === 0) return;
      await delay(performance.now() - startedAt, undefined, { signal: controller.signal });
    }
  };
  const poller = createPoller({
    run,
    onError: (error) => {
      if (controller.signal.aborted || isUnavailable(error)) return;
      log.warn({ err: error }, "giving texts to the search failed");
    },
    maxRunMs: MAX_RUN_MS,
  });
  due.when(({ texts }) => texts, poller.trigger);
  return {
    stop: (): Promise<void> => {
      controller.abort();
      return poller.stop();
    },
  };
};
