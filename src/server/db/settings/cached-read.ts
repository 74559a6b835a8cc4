import type { Database } from "@/server/db/connection/database";

/** How late a change is seen when its notification was lost. */
const CACHE_MS = 5_000;

type CachedReadOptions<Value> = {
  db: Database;
  /** Has a notification at each change, in any process. */
  channel: string;
  /** Whether a notification is about this value; by default each one is. */
  isAbout?: (payload: string) => boolean;
  /** @param known the last value that was read: what is made of it stays valid if it is returned again. */
  read: (known: Value | undefined) => Promise<Value>;
  /** The value while the database has never been reached. */
  initial?: Value;
};

export type CachedRead<Value> = {
  /**
   * Reads the value from a cache, for every turn. Returns the last value while the database is away; without an
   * `initial` one it rejects then.
   */
  get: () => Promise<Value>;
  /** Drops the cached value after a change by this process, whose notification comes later. */
  forget: () => void;
  /** Drops the cached value at each change, in any process. */
  watch: (onChange?: () => void) => Promise<void>;
};

/** Caches for a process what administrators have declared. */
export const createCachedRead = <Value>({
  db,
  channel,
  isAbout = () => true,
  read,
  initial,
}: CachedReadOptions<Value>): CachedRead<Value> => {
  let known = initial;
  let current: { value: Promise<Value>; expiresAt: number } | undefined;
  const get = (): Promise<Value> => {
    const now = performance.now();
    if (current && current.expiresAt > now) return current.value;
    const value: Promise<Value> = read(known).then(
      // After a change since the read began, its value may be older than the one that is known.
      (newest) => (current?.value === value ? (known = newest) : get()),
      (error: unknown) => {
        if (initial !== undefined && known !== undefined) return known;
        if (current?.value === value) current = undefined;
        throw error;
      },
    );
    current = { value, expiresAt: now + CACHE_MS };
    return value;
  };
  const forget = (): void => {
    current = undefined;
  };
  return {
    get,
    forget,
    watch: async (onChange) => {
      // The payload is empty after a gap.
      await db.listen(channel, (payload) => {
        if (payload !== "" && !isAbout(payload)) return;
        forget();
        onChange?.();
      });
    },
  };
};

/** Whether two lists have the same rows, as far as their keys and times show. */
export const isSameList = <Row extends { updatedAt: Date }>(
  before: readonly Row[],
  after: readonly Row[],
  toKey: (row: Row) => string,
): boolean =>
  before.length === after.length &&
  before.every((row, index) => {
    const other = after[index];
    return (
      other !== undefined &&
      toKey(other) === toKey(row) &&
      other.updatedAt.getTime() === row.updatedAt.getTime()
    );
  });
