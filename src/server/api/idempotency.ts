import { hash } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import { hasErrorCode } from "@/lib/has-error-code";
import type { Queryable } from "@/server/db/database";
import { readClock } from "@/server/db/sql/clock-reads";

/** A request with an `Idempotency-Key`; `route` is its method and path. */
export type KeyedRequest = { userId: string; route: string; key: string; body: Uint8Array };

/** The stored fields of a response. */
export type StoredResponse = {
  status: number;
  headers: Record<string, string>;
  body: string | null;
};

/**
 * After this time a request without a response is presumed lost in a crash, as requests take
 * milliseconds. The client can then retry without waiting for the end of the retention.
 */
const CLAIM_TIMEOUT_MS = 2 * 60_000;
const RETENTION_MS = 24 * 60 * 60_000;
const CLEANUP_INTERVAL_MS = 60 * 60_000;

/** Prisma's code of a reference to a row that does not exist. */
const FOREIGN_KEY_VIOLATION = "P2003";

/**
 * Reads the idempotency key from the headers.
 *
 * @returns undefined when the request has no key.
 * @throws {DomainError} `invalid`.
 */
export const readIdempotencyKey = (headers: Headers): string | undefined => {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new DomainError("invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
};

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Creates the store with which a retried request gets the response of the first one. */
export const createIdempotency = (db: Queryable) => {
  let lastCleanupAt = 0;

  return {
    /**
     * Claims the key of a request.
     *
     * @returns the stored response, or undefined for the first request; the caller must then call
     *   `store` or `release`.
     * @throws {DomainError} `unprocessable` if the key was used with another body, `conflict` while
     *   the first request runs.
     */
    claim: async (request: KeyedRequest): Promise<StoredResponse | undefined> => {
      const bodyHash = hash("sha256", request.body, "hex");
      if (await insertOrReplace(db, { ...toId(request), bodyHash })) {
        const now = Date.now();
        if (now - lastCleanupAt > CLEANUP_INTERVAL_MS) {
          lastCleanupAt = now;
          await deleteExpired(db);
        }
        return undefined;
      }
      // Null if the first request has just released the key; the client's next retry claims it.
      const stored = await db.prisma.idempotencyKey.findUnique({
        where: { userId_route_key: toId(request) },
      });
      if ((stored?.bodyHash ?? bodyHash) !== bodyHash) {
        throw new DomainError(
          "unprocessable",
          "This Idempotency-Key was used with another body: take a new key for a new request.",
        );
      }
      if (stored?.status === undefined || stored.status === null) {
        throw new DomainError(
          "conflict",
          "The first request with this Idempotency-Key is still running.",
          { retryAfterSeconds: 1 },
        );
      }
      const headers = (stored.headers ?? {}) as StoredResponse["headers"];
      return { status: stored.status, headers, body: stored.body };
    },
    /**
     * Stores the response of a claimed request.
     *
     * @param chatId the chat that the response is about: deleting the chat deletes the response. If it
     *   does not exist any more, the key is released.
     */
    store: async (
      request: KeyedRequest,
      { status, headers, body }: StoredResponse,
      chatId: string | null,
    ): Promise<void> => {
      const data = { status, headers, body, chatId };
      try {
        await db.prisma.idempotencyKey.updateMany({ where: toId(request), data });
      } catch (error) {
        // Only the foreign key shows it: the chat may be deleted while the response is written.
        if (!hasErrorCode(error, FOREIGN_KEY_VIOLATION)) throw error;
        await release(db, request);
      }
    },
    release: (request: KeyedRequest): Promise<void> => release(db, request),
  };
};

const release = async (db: Queryable, request: KeyedRequest): Promise<void> => {
  await db.prisma.idempotencyKey.deleteMany({ where: toId(request) });
};

type Id = { userId: string; route: string; key: string };

const toId = ({ userId, route, key }: KeyedRequest): Id => ({ userId, route, key });

/** @returns false when another request holds the key and its claim has not expired. */
const insertOrReplace = async (db: Queryable, row: Id & { bodyHash: string }): Promise<boolean> => {
  const insert = async (): Promise<boolean> =>
    (await db.prisma.idempotencyKey.createMany({ data: [row], skipDuplicates: true })).count > 0;
  if (await insert()) return true;
  const { userId, route, key } = row;
  const now = (await readClock(db)).getTime();
  const { count } = await db.prisma.idempotencyKey.deleteMany({
    where: {
      ...{ userId, route, key },
      OR: [
        { createdAt: { lt: new Date(now - RETENTION_MS) } },
        { status: null, createdAt: { lt: new Date(now - CLAIM_TIMEOUT_MS) } },
      ],
    },
  });
  return count > 0 && (await insert());
};

const deleteExpired = async (db: Queryable): Promise<void> => {
  const expiresBefore = new Date((await readClock(db)).getTime() - RETENTION_MS);
  await db.prisma.idempotencyKey.deleteMany({ where: { createdAt: { lt: expiresBefore } } });
};
