import type { Actor } from "@/server/context";
import type { Database } from "@/server/db/database";
import { AUTH_CACHE_MS, createShortCache, MAX_CACHED } from "./short-cache";

type KeyCache = ReturnType<typeof createShortCache<Actor>>;

const caches = new WeakMap<Database, KeyCache>();

/** Whose the keys are that were used lately. */
export const keyCacheOf = (db: Database): KeyCache => {
  const known = caches.get(db);
  if (known) return known;
  const cache = createShortCache<Actor>({ ttlMs: AUTH_CACHE_MS, maxSize: MAX_CACHED });
  caches.set(db, cache);
  return cache;
};
