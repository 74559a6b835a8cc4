import type { Database } from "@/server/db/connection/database";
import { writeProbe } from "@/server/db/settings/setting-writes";
import { claimChats } from "@/server/db/sql/machine/claim";

/** Load balancers probe every few seconds with a timeout shorter than that of a query. */
const TIMEOUT_MS = 3_000;
/** Several balancers, and their retries, share one write to the database. */
const INTERVAL_MS = 2_000;

export type DatabaseProbe = {
  isUsable: () => Promise<boolean>;
  /** False from the first data on that could not be read. */
  isIntact: () => boolean;
};

/** Whether the database does what a turn needs from it; asked by the readiness probe. */
export const createDatabaseProbe = (
  db: Database,
  { timeoutMs = TIMEOUT_MS } = {},
): DatabaseProbe => {
  let last: { startedAt: number; result: Promise<boolean> } | undefined;
  return {
    isUsable: async () => {
      const now = performance.now();
      if (!last || now - last.startedAt > INTERVAL_MS) {
        last = { startedAt: now, result: probeWithin(db, timeoutMs) };
      }
      // Requests may fail on other connections, or for the size of what they write, while a probe succeeds.
      return (await last.result) && db.status().isAvailable;
    },
    isIntact: () => !db.status().isDamaged,
  };
};

const probeWithin = async (db: Database, timeoutMs: number): Promise<boolean> => {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => {
    timeout.resolve(false);
  }, timeoutMs);
  const probe = claimAndWrite(db).then(
    () => true,
    () => false,
  );
  const isUsable = await Promise.race([probe, timeout.promise]);
  clearTimeout(timer);
  return isUsable;
};

/** Claims no chat, and writes a row that nothing reads. */
const claimAndWrite = async (db: Database): Promise<void> => {
  await claimChats(db, { owner: "", limit: 0 });
  await writeProbe(db);
};
