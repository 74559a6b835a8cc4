import { LRUCache } from "lru-cache";
import type { Actor } from "@/server/context";
import type { Database } from "@/server/db/database";

/**
 * How long a process trusts what it read about a key or a session. A busy client costs one query
 * in this time instead of one per request; what another process revoked works this much longer.
 */
const TTL_MS = 5_000;
/** Clients that are active within that time; each further one costs a query. */
const MAX_ENTRIES = 10_000;

type ActorCache = ReturnType<typeof createActorCache>;

type LoadActor = () => Promise<Actor | undefined>;

/** Caches actors by what they authenticate with. Concurrent requests share one load. */
export const createActorCache = () => {
  const actors = new LRUCache<string, Actor, LoadActor>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    // A load that was in flight when the cache was cleared still answers its requests.
    ignoreFetchAbort: true,
    fetchMethod: (_credential, _stale, { context: load }) => load(),
  });

  return {
    has: (credential: string): boolean => actors.has(credential),
    /** @param load its rejections and undefined are not cached. */
    get: (credential: string, load: LoadActor): Promise<Actor | undefined> =>
      actors.fetch(credential, { context: load }),
    clear: (): void => {
      actors.clear();
    },
  };
};

const keyCaches = new WeakMap<Database, ActorCache>();

/** @returns the database's cache of actors by API key. */
export const getKeyCache = (db: Database): ActorCache => {
  const cache = keyCaches.get(db) ?? createActorCache();
  keyCaches.set(db, cache);
  return cache;
};
