/**
 * How long a process goes by what it read of a key or a session. A busy client then costs one
 * query in this time instead of one per request; what is revoked in another process works as long.
 */
export const AUTH_CACHE_MS = 5_000;
/** Clients that are active within that time; more only cost a query. */
export const MAX_CACHED = 10_000;

type Entry<Value> = { value: Promise<Value | undefined>; expiresAt: number };

/**
 * Keeps answers for a few seconds, one load per key at a time; "nothing found" is not kept.
 *
 * @param ttlMs how long an answer may be out of date.
 */
export const createShortCache = <Value>({ ttlMs, maxSize }: { ttlMs: number; maxSize: number }) => {
  const entries = new Map<string, Entry<Value>>();

  const makeRoom = (now: number): void => {
    if (entries.size < maxSize) return;
    for (const [key, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(key);
    const oldest = entries.keys().next();
    if (entries.size >= maxSize && !oldest.done) entries.delete(oldest.value);
  };

  return {
    has: (key: string): boolean => (entries.get(key)?.expiresAt ?? 0) > Date.now(),
    get: (key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> => {
      const now = Date.now();
      const known = entries.get(key);
      if (known && known.expiresAt > now) return known.value;
      makeRoom(now);
      const entry = { value: load(), expiresAt: now + ttlMs };
      const forget = (): void => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      entry.value.then((value) => {
        if (value === undefined) forget();
      }, forget);
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    clear: (): void => {
      entries.clear();
    },
  };
};
