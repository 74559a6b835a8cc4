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

/** Caches actors by what they authenticate with. Concurrent requests share one load. */
export const createActorCache = () => {
  const actors = new LRUCache<string, Promise<Actor | undefined>>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
  });

  return {
    /** @returns true also while the actor is loading. */
    has: (credential: string): boolean => actors.has(credential),
    /** @param load its failure, or that nobody was found, is not cached. */
    get: (
      credential: string,
      load: () => Promise<Actor | undefined>,
    ): Promise<Actor | undefined> => {
      const cached = actors.get(credential);
      if (cached) return cached;
      const loading = load();
      const remove = (): void => {
        if (actors.peek(credential) === loading) actors.delete(credential);
      };
      loading.then((actor) => {
        if (!actor) remove();
      }, remove);
      actors.set(credential, loading);
      return loading;
    },
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
