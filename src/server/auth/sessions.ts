import { betterAuth } from "better-auth/minimal";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/contract/limits";
import type { Database } from "@/server/db/database";

export type SessionSettings = {
  /** Signs the cookies. */
  secret: string;
  /** Where people reach the server; null is wherever the request came to. */
  publicUrl: string | null;
};

/** A month: signing in again is a nuisance, and a session can be ended from any browser. */
const SESSION_SECONDS = 30 * 24 * 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;

export type Sessions = ReturnType<typeof createSessions>;

/** Sign-in by e-mail and password. Accounts are made by `createOwner` only. */
export const createSessions = (
  db: Database,
  { secret, publicUrl }: SessionSettings,
  warn: (message: string) => void,
) =>
  betterAuth({
    appName: "Parley",
    basePath: "/api/auth",
    ...(publicUrl !== null && { baseURL: new URL(publicUrl).origin }),
    secret,
    database: prismaAdapter(db.prisma, { provider: "postgresql" }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    user: { additionalFields: { role: { type: "string", input: false } } },
    session: { expiresIn: SESSION_SECONDS, updateAge: DAY_SECONDS },
    trustedOrigins: (request) => ownOrigins(request),
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: "parley",
      useSecureCookies: publicUrl?.startsWith("https:") ?? false,
    },
    logger: {
      level: "error",
      log: (_level, message) => {
        warn(message);
      },
    },
  });

/** Next.js passes its own host name to handlers, so the browser's is read from the header. */
const ownOrigins = (request?: Request): string[] => {
  const host = request?.headers.get("host");
  return host ? [`http://${host}`, `https://${host}`] : [];
};
