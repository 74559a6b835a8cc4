import { DomainError } from "@/contract/domain-error";
import { MAX_LONG_POLLS_PER_CREDENTIAL, MAX_STREAMS_PER_CREDENTIAL } from "@/contract/limits";
import type { Credential } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { findValidSessionIds } from "./account-sessions";
import { findValidKeyIds } from "./api-keys";
import type { CredentialCaches } from "./credential-cache";

/** Streams end within ten seconds after their credential; the query and a retry need some of them. */
const CHECK_INTERVAL_MS = 4_000;

/** A client that reloads closes its earlier streams within a second or two. */
const RETRY_AFTER_SECONDS = 5;

/** What stays open for a credential; each kind has a limit of its own. */
type OpenKind = "stream" | "long_poll";

const LIMITS: Record<OpenKind, { max: number; name: string; remedy: string }> = {
  stream: {
    max: MAX_STREAMS_PER_CREDENTIAL,
    name: "open streams",
    remedy: "close some of them first",
  },
  long_poll: {
    max: MAX_LONG_POLLS_PER_CREDENTIAL,
    name: "requests that wait",
    remedy: "let some of them end first",
  },
};

type Type = Credential["type"];

const CREDENTIAL_NAME: Record<Type, string> = { session: "session", api_key: "API key" };

const createLimitError = (type: Type, kind: OpenKind): DomainError => {
  const { max, name, remedy } = LIMITS[kind];
  return new DomainError(
    "limit_exceeded",
    `This ${CREDENTIAL_NAME[type]} has ${max} ${name}: ${remedy}.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
};

/** Finds which of the ids belong to credentials that still work. */
const FIND_VALID = { session: findValidSessionIds, api_key: findValidKeyIds };

type Listeners = Record<OpenKind, Set<() => void>>;

const createListeners = (): Listeners => ({ stream: new Set(), long_poll: new Set() });

export type CredentialWatch = ReturnType<typeof createCredentialWatch>;

/**
 * Calls back when credentials stop working, whichever process ended them. All credentials of a
 * process are checked together: a thousand streams of one session cost one query per interval.
 */
export const createCredentialWatch = (db: Database, caches: CredentialCaches) => {
  const listeners: Record<Type, Map<string, Listeners>> = {
    session: new Map(),
    api_key: new Map(),
  };
  let timer: NodeJS.Timeout | undefined;

  const end = (type: Type, id: string): void => {
    const { stream, long_poll: longPoll } = listeners[type].get(id) ?? createListeners();
    listeners[type].delete(id);
    for (const listener of [...stream, ...longPoll]) listener();
  };

  const check = async (): Promise<void> => {
    for (const type of ["session", "api_key"] as const) {
      const ids = [...listeners[type].keys()];
      if (ids.length === 0) continue;
      const valid = new Set(await FIND_VALID[type](db, ids));
      const ended = ids.filter((id) => !valid.has(id));
      if (ended.length === 0) continue;
      // The client of an ended stream connects again, and must be refused then.
      caches.keys.clear();
      caches.sessions.clear();
      for (const id of ended) end(type, id);
    }
  };

  const schedule = (): void => {
    if (timer || listeners.session.size + listeners.api_key.size === 0) return;
    const checkAgain = (): void => {
      timer = undefined;
      schedule();
    };
    timer = setTimeout(() => {
      // A failed read says nothing about the credentials.
      check().then(checkAgain, checkAgain);
    }, CHECK_INTERVAL_MS).unref();
  };

  /**
   * Starts to watch the credential of something that stays open.
   *
   * @param onEnded called once at most; must not throw.
   * @returns a function that stops watching.
   * @throws {DomainError} `limit_exceeded` if the credential has too many of the kind.
   */
  return (
    { type, id }: Credential,
    onEnded: () => void,
    kind: OpenKind = "stream",
  ): (() => void) => {
    const ofType = listeners[type];
    const ofCredential = ofType.get(id) ?? createListeners();
    if (ofCredential[kind].size >= LIMITS[kind].max) throw createLimitError(type, kind);
    ofCredential[kind].add(onEnded);
    ofType.set(id, ofCredential);
    schedule();
    return () => {
      ofCredential[kind].delete(onEnded);
      const { stream, long_poll: longPoll } = ofCredential;
      const isLast = stream.size + longPoll.size === 0;
      if (isLast && ofType.get(id) === ofCredential) ofType.delete(id);
    };
  };
};
