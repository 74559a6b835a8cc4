import { hash } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import type { Database, Statement } from "@/server/db/database";

/** A request that carried an `Idempotency-Key`; `route` is its method and path. */
export type KeyedRequest = { userId: string; route: string; key: string; body: Uint8Array };

/** What is kept of an answer. */
export type KeptAnswer = { status: number; headers: Record<string, string>; body: string | null };

/**
 * A first request that has not ended by then died with its process: requests take milliseconds,
 * and a client must not be locked out for a day.
 */
const ABANDONED_AFTER = "interval '2 minutes'";
const KEPT_FOR = "interval '24 hours'";
const CLEAN_UP_EVERY_MS = 60 * 60 * 1000;

/**
 * @returns the key of a request that has one.
 * @throws {DomainError} `invalid`.
 */
export const idempotencyKeyOf = (headers: Headers): string | undefined => {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new DomainError("invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
};

const CLAIM: Statement = {
  name: "claim-idempotency-key",
  text: `
    INSERT INTO idempotency_key AS kept (owner_id, route, key, body_hash)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (owner_id, route, key) DO UPDATE SET
      body_hash = excluded.body_hash, status = NULL, headers = NULL, body = NULL, created_at = now()
    WHERE kept.created_at < now() - ${KEPT_FOR}
       OR (kept.status IS NULL AND kept.created_at < now() - ${ABANDONED_AFTER})
    RETURNING key`,
};

const FIND_KEPT: Statement = {
  name: "find-kept-answer",
  text: `
    SELECT body_hash AS "bodyHash", status, headers, body FROM idempotency_key
    WHERE owner_id = $1 AND route = $2 AND key = $3`,
};

const KEEP: Statement = {
  name: "keep-answer",
  text: `
    UPDATE idempotency_key SET status = $4, headers = $5::jsonb, body = $6
    WHERE owner_id = $1 AND route = $2 AND key = $3`,
};

const FORGET: Statement = {
  name: "forget-idempotency-key",
  text: `DELETE FROM idempotency_key WHERE owner_id = $1 AND route = $2 AND key = $3`,
};

const CLEAN_UP: Statement = {
  name: "clean-up-idempotency-keys",
  text: `DELETE FROM idempotency_key WHERE created_at < now() - ${KEPT_FOR}`,
};

type KeptRow = {
  bodyHash: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
};

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Answers a repeated request with the first answer instead of doing it again. */
export const createIdempotency = (db: Database) => {
  let cleanedUpAt = 0;

  return {
    /**
     * @returns the first answer, or undefined when this request is the first: then `keep` or
     *   `forget` must follow.
     * @throws {DomainError} `unprocessable` for another body under the key, `conflict` while the
     *   first request runs.
     */
    claim: async (request: KeyedRequest): Promise<KeptAnswer | undefined> => {
      const bodyHash = hash("sha256", request.body, "hex");
      const claimed = await db.query(CLAIM, [...idOf(request), bodyHash]);
      if (claimed.length > 0) {
        const now = Date.now();
        if (now - cleanedUpAt > CLEAN_UP_EVERY_MS) {
          cleanedUpAt = now;
          await db.query(CLEAN_UP, []);
        }
        return undefined;
      }
      // None when the first request has just failed: the next repeat begins anew.
      const [kept] = await db.query<KeptRow>(FIND_KEPT, idOf(request));
      if ((kept?.bodyHash ?? bodyHash) !== bodyHash) {
        throw new DomainError(
          "unprocessable",
          "This Idempotency-Key was used with another body: take a new key for a new request.",
        );
      }
      if (kept?.status === undefined || kept.status === null) {
        throw new DomainError(
          "conflict",
          "The first request with this Idempotency-Key is still running.",
          { retryAfterSeconds: 1 },
        );
      }
      return { status: kept.status, headers: kept.headers ?? {}, body: kept.body };
    },
    keep: async (request: KeyedRequest, { status, headers, body }: KeptAnswer): Promise<void> => {
      await db.query(KEEP, [...idOf(request), status, headers, body]);
    },
    forget: async (request: KeyedRequest): Promise<void> => {
      await db.query(FORGET, idOf(request));
    },
  };
};

const idOf = ({ userId, route, key }: KeyedRequest): string[] => [userId, route, key];
