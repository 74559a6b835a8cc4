import { DomainError } from "@/contract/domain-error";
import type { Actor } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { recordKey } from "@/server/request-record";
import { findKeyActor, hashKey } from "./api-keys";
import { getClientNetwork } from "./client-network";
import type { CredentialCaches } from "./credential-cache";
import type { RateLimits } from "./rate-limits";
import { requireSameOrigin } from "./same-origin";
import type { Session, Sessions } from "./sessions";
import { findTokenActor, requireTokenOrigin } from "./token-actor";
import type { Tokens } from "./tokens";

type Authentication = {
  actor: Actor | undefined;
  /** `set-cookie` headers for the response, when a session was extended or has ended. */
  cookies: readonly string[];
};

const BEARER = /^Bearer +(\S.*)$/i;

type FoundSession = { session: Session | undefined; cookies: readonly string[] };

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Identifies who sent a request. An API key takes precedence over the session cookie. */
export const createAuthenticator = (
  db: Database,
  sessions: Sessions,
  {
    caches,
    limits,
    tokens,
    publicUrl,
  }: { caches: CredentialCaches; limits: RateLimits; tokens: Tokens; publicUrl: string | null },
) => {
  /**
   * Finds the session of the request's cookie. The cache is keyed by the very text that the library
   * verifies, so that no other text can name the session.
   */
  const findSession = async (
    headers: Headers,
    { canExtend }: { canExtend: boolean },
  ): Promise<FoundSession> => {
    const value = sessions.readCookie(headers);
    let cookies: readonly string[] = [];
    if (value === undefined) return { session: undefined, cookies };
    const session = await caches.sessions.fetch(value, {
      context: async () => {
        const found = await sessions.find(value, canExtend);
        ({ cookies } = found);
        return found.result;
      },
    });
    return { session, cookies };
  };

  /** @throws {DomainError} `limit_exceeded` after too many invalid keys; `unauthorized` and `forbidden` for a token. */
  const authenticate = async ({ headers }: Pick<Request, "headers">): Promise<Authentication> => {
    const key = BEARER.exec(headers.get("authorization") ?? "")?.[1]?.trim();
    if (key !== undefined) {
      const actor = await caches.keys.fetch(key, { context: () => findBearer(db, tokens, key) });
      // A valid key always works; only the invalid ones of a network are counted.
      if (actor) {
        recordKey(headers, actor.credential.id);
        requireTokenOrigin(actor, headers);
      } else await limits.countInvalidKey(getClientNetwork(headers));
      return { actor, cookies: [] };
    }
    const { session, cookies } = await findSession(headers, { canExtend: true });
    return { actor: session && toActor(session), cookies };
  };

  return {
    authenticate,
    findSession,
    /** Identifies the browser that asks for a page. Rendering cannot set cookies, so the session is not extended. */
    findPageActor: async (headers: Headers): Promise<Actor | undefined> => {
      const { session } = await findSession(headers, { canExtend: false });
      return session && toActor(session);
    },
    /**
     * Identifies the sender of a request that requires one.
     *
     * @throws {DomainError} `unauthorized`, `limit_exceeded`, `forbidden` for another site's write.
     */
    authorize: async (
      request: Pick<Request, "headers" | "method">,
    ): Promise<{ actor: Actor; cookies: readonly string[] }> => {
      const { actor, cookies } = await authenticate(request);
      if (!actor) throw createUnauthorizedError();
      const isWrite = request.method !== "GET" && request.method !== "HEAD";
      if (actor.credential.type === "session" && isWrite) requireSameOrigin(request, publicUrl);
      return { actor, cookies };
    },
  };
};

/**
 * Finds for whom a key or a token acts.
 *
 * @throws {DomainError} `unauthorized` for a token of this server that has ended.
 */
const findBearer = async (
  db: Database,
  tokens: Tokens,
  text: string,
): Promise<Actor | undefined> => {
  if (!tokens.isToken(text)) return findKeyActor(db, { hash: hashKey(text) });
  const claims = tokens.read(text);
  return claims && findTokenActor(db, claims);
};

export const createUnauthorizedError = (): DomainError =>
  new DomainError("unauthorized", "Sign in, or send a valid API key.");

const toActor = ({ id, user }: Session): Actor => ({
  userId: user.id,
  role: user.role,
  credential: { type: "session", id },
});
