import type pg from "pg";
import { createPoller } from "@/lib/poller";

/** How often the position of the log is checked. */
const CHECK_MS = 60_000;
/**
 * Vacuum after this many bytes of log, about 10,000 commits. A new database has fewer: its plans are made without
 * statistics, as those of nearly empty tables would lead to plans that read whole indexes until the next vacuum.
 */
const VACUUM_AFTER_BYTES = 64 * 1024 * 1024;

type UpkeepOptions = {
  checkMs?: number;
  vacuumAfterBytes?: number;
  /** Called before the files are changed; without a lock, nothing is done until the next check. */
  lock?: () => (() => void) | undefined;
};

const NO_LOCK = () => () => undefined;

/**
 * Does for the embedded database what a server's background processes do: without checkpoints its
 * log would grow for ever, without vacuum its tables. An idle database is left alone.
 *
 * @returns stops it, when what runs has ended.
 */
export const startUpkeep = (
  pool: pg.Pool,
  onError: (error: unknown) => void,
  { checkMs = CHECK_MS, vacuumAfterBytes = VACUUM_AFTER_BYTES, lock = NO_LOCK }: UpkeepOptions = {},
): (() => Promise<void>) => {
  let checkpointed = 0;
  let vacuumed = 0;
  const check = async (): Promise<void> => {
    const position = await logPosition(pool);
    if (position === checkpointed) return;
    const unlock = lock();
    if (!unlock) return;
    try {
      if (position - vacuumed > vacuumAfterBytes) {
        await pool.query("VACUUM ANALYZE");
        vacuumed = await logPosition(pool);
      }
      await pool.query("CHECKPOINT");
    } finally {
      unlock();
    }
    checkpointed = await logPosition(pool);
  };
  const { stop } = createPoller({ intervalMs: checkMs, run: check, onError, isBackground: true });
  return stop;
};

const logPosition = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes",
  );
  return Number(rows[0]?.bytes);
};
