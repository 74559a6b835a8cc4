import { v7 as newId } from "uuid";
import type { Database } from "@/server/db/connection/database";
import { type Authenticator, createAuthenticator } from "./authenticator";
import { createCredentialWatch, type CredentialWatch } from "./credential-watch";
import { createKnownBrowsers, type KnownBrowsers } from "./known-browsers";
import { createRateLimits, type RateLimits } from "./rate-limits";
import { createSessions, type Sessions, type SessionSettings } from "./sessions";

/** The services that identify a request's sender by one database. */
export type AuthServices = {
  db: Database;
  sessions: Sessions;
  authenticator: Authenticator;
  watchCredential: CredentialWatch;
  limits: RateLimits;
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
  const sessions = createSessions(db, settings, warn);
  return {
    db,
    sessions,
    authenticator: createAuthenticator(db, sessions, { limits, publicUrl }),
    watchCredential: createCredentialWatch(db),
    limits,
    knownBrowsers: createKnownBrowsers(settings),
    publicUrl,
    newId,
  };
};
