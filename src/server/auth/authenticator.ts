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
  /** `set-cookie` headers that the answer must carry, when a session was prolonged or has ended. */
  cookies: readonly string[];
};

type WithHeaders = Pick<Request, "headers">;

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Tells who sent a request: an API key goes first, then the session cookie. */
export const createAuthenticator = (
  db: Database,
  sessions: Sessions,
  { limits, publicUrl }: { limits: RateLimits; publicUrl: string | null },
) => {
  const keys = getKeyCache(db);
  const cookies = createActorCache();

  const byKey = async (key: string, headers: Headers): Promise<Actor | undefined> => {
    if (keys.has(key)) return keys.get(key, () => Promise.resolve(undefined));
    await limits.beforeUnknownKey(headers);
    const actor = await keys.get(key, () => findKeyActor(db, key));
    if (actor === undefined) await limits.afterUnknownKey(headers);
    return actor;
  };

  const bySession = async (session: string, cookie: string): Promise<Authentication> => {
    let changed: string[] = [];
    const actor = await cookies.get(session, async () => {
      const { headers, response } = await sessions.api.getSession({
        headers: new Headers({ cookie }),
        returnHeaders: true,
      });
      changed = headers.getSetCookie();
      if (!response) return undefined;
      const role = response.user.role === "owner" ? "owner" : "member";
      return { userId: response.user.id, role, apiKeyId: null };
    });
    return { actor, cookies: changed };
  };

  /** @throws {DomainError} `limit_exceeded` after too many unknown keys. */
  const authenticate = async ({ headers }: WithHeaders): Promise<Authentication> => {
    const key = bearerKey(headers);
    if (key !== undefined) return { actor: await byKey(key, headers), cookies: [] };
    const cookie = headers.get("cookie") ?? "";
    const session = sessionOf(cookie);
    return session === undefined ? { actor: undefined, cookies: [] } : bySession(session, cookie);
  };

  return {
    authenticate,
    /**
     * The actor of a request that needs one.
     *
     * @throws {DomainError} `unauthorized`, `forbidden` for another site's write, `limit_exceeded`.
     */
    authorize: async (
      request: Pick<Request, "headers" | "method">,
    ): Promise<{ actor: Actor; cookies: readonly string[] }> => {
      const { actor, cookies: changed } = await authenticate(request);
      if (!actor) throw new DomainError("unauthorized", "Sign in, or send a valid API key.");
      if (actor.apiKeyId === null && request.method !== "GET" && request.method !== "HEAD") {
        requireSameOrigin(request, publicUrl);
      }
      return { actor, cookies: changed };
    },
    /** A session that ended stops working in this process at once. */
    forgetSessions: (): void => {
      cookies.clear();
    },
  };
};

const bearerKey = (headers: Headers): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(headers.get("authorization") ?? "")?.[1]?.trim();

/** The one cookie that says who it is, as `name=value`. */
const sessionOf = (cookie: string): string | undefined =>
  cookie.split("; ").find((pair) => COOKIE_NAMES.some((name) => pair.startsWith(`${name}=`)));
