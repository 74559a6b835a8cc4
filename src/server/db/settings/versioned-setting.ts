import type { Database, Queryable } from "@/server/db/connection/database";
import { perDatabase } from "@/server/db/connection/per-database";
import type { SETTING } from "./setting-reads";
import { SETTING_CHANNEL } from "@/server/db/sql/writes/setting-notices";

/** How late a change is seen when its notification was lost. */
const CACHE_MS = 5_000;

type SettingCache<Value> = {
  current?: { value: Promise<Value>; expiresAt: number };
  /** The last value that was read. */
  known: Value;
};

type VersionedSettingInput<Value> = {
  key: (typeof SETTING)[keyof typeof SETTING];
  /** Returns the default for a value that is missing or invalid. Does not throw. */
  parse: (stored: unknown) => Value;
};

/** A setting that is replaced as a whole, and that turns read. */
export type VersionedSetting<Value> = VersionedSettingInput<Value> & {
  read: (db: Queryable) => Promise<Value>;
  /** Drops the cached value of this process at each change, in any process. */
  watch: (db: Database) => Promise<void>;
  /** Reads from a cache, for every turn. Does not reject: while the database is away, it returns the last value. */
  recent: (db: Database) => Promise<Value>;
  /** Drops the cached value after a change by this process, whose notification comes later. */
  forget: (db: Database) => void;
};

export const createVersionedSetting = <Value extends { version: number }>({
  key,
  parse,
}: VersionedSettingInput<Value>): VersionedSetting<Value> => {
  const getCache = perDatabase((): SettingCache<Value> => ({
    known: parse(undefined),
  }));
  const read = async ({ prisma }: Queryable): Promise<Value> =>
    parse((await prisma.setting.findUnique({ where: { key } }))?.value);
  const forget = (db: Database): void => void delete getCache(db).current;
  return {
    key,
    parse,
    read,
    watch: async (db) => {
      // The payload is empty after a gap.
      await db.listen(SETTING_CHANNEL, (changed) => {
        if (changed === key || changed === "") forget(db);
      });
    },
    recent: (db) => {
      const cache = getCache(db);
      const now = performance.now();
      if (cache.current && cache.current.expiresAt > now) return cache.current.value;
      const value = read(db).then(
        (newest) => (cache.known = newest),
        () => cache.known,
      );
      cache.current = { value, expiresAt: now + CACHE_MS };
      return value;
    },
    forget,
  };
};
