import { betterAuth } from "better-auth/minimal";
import { APIError } from "better-auth/api";
import { prismaAdapter } from "better-auth/adapters/prisma";
import type { Credentials } from "@/contract/account";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/contract/limits";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import type { Actor } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { DatabaseFailure } from "@/server/db/connection/database-failure";
import { getCookiePrefix, isHttps, readCookie } from "./cookies";
import { hashPassword, verifyPassword } from "./password-hashing";

export type SessionSettings = {
  /** Signs the cookies. */
  secret: string;
  /** Where people reach the server; null is wherever the request came to. */
  publicUrl: string | null;
};

export type SessionUser = {
  id: string;
  name: string;
  email: string;
  /** Only the owner can change server settings. */
  role: Actor["role"];
};

export type Session = { id: string; user: SessionUser };

type Answer<Result> = {
  result: Result;
  /** `set-cookie` headers for the response. */
  cookies: readonly string[];
};

/** A month: signing in again is a nuisance, and a session can be ended from any browser. */
const SESSION_SECONDS = 30 * 24 * 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;

export type Sessions = ReturnType<typeof createSessions>;

/** Sign-in by e-mail and password, with cookies. Accounts are made by `createOwner` only. */
export const createSessions = (
  db: Database,
  settings: SessionSettings,
  warn: (message: string) => void,
) => {
  const { api } = createLibrary(db, settings, warn);
  const cookieName = `${getCookiePrefix(settings.publicUrl)}.session_token`;

  return {
    /** @returns the value of the session cookie, not verified. */
    readCookie: (headers: Headers): string | undefined => readCookie(headers, cookieName),
    /**
     * Finds the session of a cookie.
     *
     * @param canExtend whether the response can set cookies; only then an old session is extended.
     */
    find: async (value: string, canExtend: boolean): Promise<Answer<Session | undefined>> => {
      const request = {
        // This cookie alone, so that the library cannot use another one of the request.
        headers: new Headers({ cookie: `${cookieName}=${value}` }),
        query: { disableRefresh: !canExtend },
        returnHeaders: true as const,
      };
      const { headers, response } = await withDatabaseFailure(db, () => api.getSession(request));
      const session = response && { id: response.session.id, user: toUser(response.user) };
      return { result: session ?? undefined, cookies: headers.getSetCookie() };
    },
    /** Starts a session. @returns undefined as result for a wrong address or password. */
    signIn: async (
      request: Headers,
      { email, password }: Credentials,
    ): Promise<Answer<SessionUser> | undefined> => {
      try {
        const { headers, response } = await withDatabaseFailure(db, () =>
          api.signInEmail({
            body: { email, password },
            headers: pickHeaders(request, ["user-agent", CLIENT_ADDRESS_HEADER]),
            returnHeaders: true,
          }),
        );
        return { result: toUser(response.user), cookies: headers.getSetCookie() };
      } catch (error) {
        if (error instanceof APIError && error.statusCode === 401) return undefined;
        throw error;
      }
    },
    /** Ends the session of a cookie. @returns the headers that delete the cookie. */
    signOut: async (value: string): Promise<readonly string[]> => {
      const { headers } = await api.signOut({
        headers: new Headers({ cookie: `${cookieName}=${value}` }),
        returnHeaders: true,
      });
      return headers.getSetCookie();
    },
  };
};

/**
 * Runs a call of the library, which hides why it failed.
 *
 * @throws {DatabaseFailure} when that was the database.
 */
const withDatabaseFailure = async <Result>(
  db: Database,
  call: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await call();
  } catch (error) {
    const isInternal = error instanceof APIError && error.statusCode >= 500;
    const { isAvailable, isDamaged } = db.status();
    if (isInternal && !isAvailable) throw new DatabaseFailure("unreachable", error);
    if (isInternal && isDamaged) throw new DatabaseFailure("damaged", error);
    throw error;
  }
};

const createLibrary = (
  db: Database,
  { secret, publicUrl }: SessionSettings,
  warn: (message: string) => void,
) =>
  betterAuth({
    appName: "Parley",
    ...(publicUrl !== null && { baseURL: new URL(publicUrl).origin }),
    secret,
    database: prismaAdapter(db.prisma, { provider: "postgresql" }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    user: { additionalFields: { role: { type: "string", input: false } } },
    session: { expiresIn: SESSION_SECONDS, updateAge: DAY_SECONDS },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: getCookiePrefix(publicUrl),
      // Would put `__Secure-` before the prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps(publicUrl) },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    logger: {
      level: "error",
      log: (_level, message) => {
        // The database logs an outage once.
        if (db.status().isAvailable) warn(message);
      },
    },
  });

type StoredUser = Omit<SessionUser, "role"> & { role?: string | null | undefined };

const toUser = ({ id, name, email, role }: StoredUser): SessionUser => ({
  id,
  name,
  email,
  role: role === "owner" ? "owner" : "member",
});

const pickHeaders = (from: Headers, names: readonly string[]): Headers =>
  new Headers(
    names.flatMap((name) => {
      const value = from.get(name);
      return value === null ? [] : [[name, value] satisfies [string, string]];
    }),
  );
