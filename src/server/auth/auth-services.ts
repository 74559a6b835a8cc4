import { v7 as newId } from "uuid";
import { appDatabase } from "@/server/db/connection/app-database";
import type { Database } from "@/server/db/connection/database";
import { appSecret, env } from "@/server/env";
import { log } from "@/server/log";
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

const KEY = Symbol.for("parley.auth");

/** @returns the process's services; on `globalThis`, as pages and handlers may be bundled apart. */
export const appAuth = (): AuthServices => {
  const holder = globalThis as { [KEY]?: AuthServices };
  holder[KEY] ??= createAuthServices(
    appDatabase(),
    { secret: appSecret(env()), publicUrl: env().publicUrl },
    (message) => {
      log().warn(message);
    },
  );
  return holder[KEY];
};
