import { v7 as newId } from "uuid";
import type { Database } from "@/server/db/connection/database";
import { type Authenticator, createAuthenticator } from "./authenticator";
import { createCredentialCaches, type CredentialCaches } from "./credential-cache";
import { createCredentialWatch, type CredentialWatch } from "./credential-watch";
import { createKnownBrowsers, type KnownBrowsers } from "./known-browsers";
import { createRateLimits, type RateLimits } from "./rate-limits";
import { createSessions, type Sessions, type SessionSettings } from "./sessions";
import { createTokens, type Tokens } from "./tokens";

/** The services that identify a request's sender by one database. */
export type AuthServices = {
  db: Database;
  sessions: Sessions;
  /** Of the credentials that requests came with. */
  caches: CredentialCaches;
  authenticator: Authenticator;
  watchCredential: CredentialWatch;
  limits: RateLimits;
  tokens: Tokens;
  knownBrowsers: KnownBrowsers;
  publicUrl: string | null;
  newId: () => string;
};

export const createAuthServices = (
  db: Database,
  settings: SessionSettings,
  warn: (message: string) => void,
): AuthServices => {
  const { publicUrl } = settings;
  const limits = createRateLimits();
  const caches = createCredentialCaches();
  const sessions = createSessions(db, settings, warn);
  const tokens = createTokens(settings.secret);
  return {
    db,
    sessions,
    caches,
    authenticator: createAuthenticator(db, sessions, { caches, limits, tokens, publicUrl }),
    watchCredential: createCredentialWatch(db, caches),
    limits,
    tokens,
    knownBrowsers: createKnownBrowsers(settings),
    publicUrl,
    newId,
  };
};
