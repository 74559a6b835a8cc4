import { DomainError } from "@/contract/domain-error";
import { MAX_LONG_POLLS_PER_CREDENTIAL, MAX_STREAMS_PER_CREDENTIAL } from "@/contract/limits";
import type { Credential } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { readClock } from "@/server/db/sql/machine/clock-reads";
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

/** Why what is open ends. */
export type CredentialEnd = "token_expired" | "revoked";

const nameCredential = (credential: Credential): string => {
  if (credential.type === "session") return "session";
  return credential.token ? "token" : "API key";
};

const createLimitError = (credential: Credential, kind: OpenKind): DomainError => {
  const { max, name, remedy } = LIMITS[kind];
  return new DomainError(
    "limit_exceeded",
    `This ${nameCredential(credential)} has ${max} ${name}: ${remedy}.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
};

/** Finds which of the ids belong to credentials that still work. */
const FIND_VALID = { session: findValidSessionIds, api_key: findValidKeyIds };

type Listener = (reason: CredentialEnd) => void;

/** What is open for one credential. Each token has its own limits, as its key has one for each page. */
type Listeners = Record<OpenKind, Set<Listener>> & { credential: Credential };

const createListeners = (credential: Credential): Listeners => ({
  stream: new Set(),
  long_poll: new Set(),
  credential,
});

const findToken = (credential: Credential) =>
  credential.type === "api_key" ? credential.token : undefined;

const toKey = (credential: Credential): string => findToken(credential)?.id ?? credential.id;

/** @returns those of credentials that have ended: all of a type are checked together. */
const findEnded = async (
  db: Database,
  type: Type,
  open: readonly Listeners[],
): Promise<Listeners[]> => {
  if (open.length === 0) return [];
  const ids = new Set(open.map(({ credential }) => credential.id));
  const valid = new Set(await FIND_VALID[type](db, [...ids]));
  const hasTokens = open.some(({ credential }) => findToken(credential));
  const now = hasTokens ? await readClock(db) : undefined;
  return open.filter(
    ({ credential }) => !valid.has(credential.id) || (now && isTokenOver(credential, now)),
  );
};

const isTokenOver = (credential: Credential, now: Date): boolean =>
  credential.type === "api_key" &&
  credential.token !== undefined &&
  credential.expiresAt !== null &&
  credential.expiresAt <= now;

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

  const end = ({ stream, long_poll: longPoll, credential }: Listeners): void => {
    listeners[credential.type].delete(toKey(credential));
    const reason = findToken(credential) ? "token_expired" : "revoked";
    for (const listener of [...stream, ...longPoll]) listener(reason);
  };

  const check = async (): Promise<void> => {
    for (const type of ["session", "api_key"] as const) {
      const ended = await findEnded(db, type, [...listeners[type].values()]);
      if (ended.length === 0) continue;
      // The client of an ended stream connects again, and must be refused then.
      caches.keys.clear();
      caches.sessions.clear();
      ended.forEach(end);
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
    credential: Credential,
    onEnded: (reason: CredentialEnd) => void,
    kind: OpenKind = "stream",
  ): (() => void) => {
    const id = toKey(credential);
    const ofType = listeners[credential.type];
    const ofCredential = ofType.get(id) ?? createListeners(credential);
    if (ofCredential[kind].size >= LIMITS[kind].max) throw createLimitError(credential, kind);
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
