import { LRUCache } from "lru-cache";
import type { Actor } from "@/server/context";
import type { Session } from "./sessions";

/**
 * How long a process trusts what it read about a key or a session. A busy client costs one query
 * in this time instead of one per request; what another process revoked works this much longer.
 */
const TTL_MS = 5_000;
/** Clients that are active within that time; each further one costs a query. */
const MAX_ENTRIES = 10_000;

type Load<Found> = () => Promise<Found | undefined>;

/**
 * Caches what was found by a credential's text: `fetch` has the function that finds it as its context, whose rejections
 * and undefined are not cached. Concurrent requests share one load.
 */
export const createCredentialCache = <Found extends object>() =>
  new LRUCache<string, Found, Load<Found>>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    // A load that was in flight when the cache was cleared still answers its requests.
    ignoreFetchAbort: true,
    fetchMethod: (_credential, _stale, { context: load }) => load(),
  });

export type CredentialCaches = ReturnType<typeof createCredentialCaches>;

export const createCredentialCaches = () => ({
  /** Actors by the text of their API key. */
  keys: createCredentialCache<Actor>(),
  /** Sessions by the value of their cookie. */
  sessions: createCredentialCache<Session>(),
});
