import { DomainError } from "@/contract/domain-error";
import type { Actor } from "@/server/context";
import type { Database } from "@/server/db/database";
import { findKeyActor } from "./api-keys";
import type { RateLimits } from "./rate-limits";
import { requireSameOrigin } from "./same-origin";
import type { Sessions } from "./sessions";
import { createActorCache, getKeyCache } from "./actor-cache";

const COOKIE_NAMES = ["parley.session_token", "__Secure-parley.session_token"];

export type Authentication = {
  actor: Actor | undefined;
  /** `set-cookie` headers for the response, when a session was extended or has ended. */
  cookies: readonly string[];
};

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Identifies who sent a request. An API key takes precedence over the session cookie. */
export const createAuthenticator = (
  db: Database,
  sessions: Sessions,
  { limits, publicUrl }: { limits: RateLimits; publicUrl: string | null },
) => {
  const keyActors = getKeyCache(db);
  const sessionActors = createActorCache();

  const findActorByKey = async (key: string, headers: Headers): Promise<Actor | undefined> => {
    if (keyActors.has(key)) return keyActors.get(key, () => Promise.resolve(undefined));
    await limits.beforeUnknownKey(headers);
    const actor = await keyActors.get(key, () => findKeyActor(db, key));
    if (actor === undefined) await limits.afterUnknownKey(headers);
    return actor;
  };

  const authenticateSession = async (session: string, cookie: string): Promise<Authentication> => {
    let setCookies: string[] = [];
    const actor = await sessionActors.get(session, async () => {
      const { headers, response } = await sessions.api.getSession({
        headers: new Headers({ cookie }),
        returnHeaders: true,
      });
      setCookies = headers.getSetCookie();
      if (!response) return undefined;
      const role = response.user.role === "owner" ? "owner" : "member";
      return { userId: response.user.id, role, apiKeyId: null };
    });
    return { actor, cookies: setCookies };
  };

  /** @throws {DomainError} `limit_exceeded` after too many unknown keys. */
  const authenticate = async ({ headers }: Pick<Request, "headers">): Promise<Authentication> => {
    const key = getBearerKey(headers);
    if (key !== undefined) return { actor: await findActorByKey(key, headers), cookies: [] };
    const cookie = headers.get("cookie") ?? "";
    const session = getSessionCookie(cookie);
    return session === undefined
      ? { actor: undefined, cookies: [] }
      : authenticateSession(session, cookie);
  };

  return {
    authenticate,
    /**
     * Identifies the sender of a request that requires one.
     *
     * @throws {DomainError} `unauthorized`, `limit_exceeded`, `forbidden` for another site's write.
     */
    authorize: async (
      request: Pick<Request, "headers" | "method">,
    ): Promise<{ actor: Actor; cookies: readonly string[] }> => {
      const { actor, cookies: setCookies } = await authenticate(request);
      if (!actor) throw new DomainError("unauthorized", "Sign in, or send a valid API key.");
      if (actor.apiKeyId === null && request.method !== "GET" && request.method !== "HEAD") {
        requireSameOrigin(request, publicUrl);
      }
      return { actor, cookies: setCookies };
    },
    /** Clears cached sessions, so that an ended one stops working in this process at once. */
    forgetSessions: (): void => {
      sessionActors.clear();
    },
  };
};

const getBearerKey = (headers: Headers): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(headers.get("authorization") ?? "")?.[1]?.trim();

/** @returns the session cookie as `name=value`. */
const getSessionCookie = (cookie: string): string | undefined =>
  cookie.split("; ").find((pair) => COOKIE_NAMES.some((name) => pair.startsWith(`${name}=`)));
