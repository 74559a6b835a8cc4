import { hash } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import type { Queryable } from "@/server/db/database";
import { readClock } from "@/server/db/sql/clock-reads";

/** A request that carried an `Idempotency-Key`; `route` is its method and path. */
export type KeyedRequest = { userId: string; route: string; key: string; body: Uint8Array };

/** What is kept of an answer. */
export type KeptAnswer = { status: number; headers: Record<string, string>; body: string | null };

/**
 * A first request that has not ended by then died with its process: requests take milliseconds,
 * and a client must not be locked out for a day.
 */
const ABANDONED_AFTER_MS = 2 * 60_000;
const STORED_FOR_MS = 24 * 60 * 60_000;
const CLEAN_UP_EVERY_MS = 60 * 60_000;

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

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Answers a repeated request with the first answer instead of doing it again. */
export const createIdempotency = (db: Queryable) => {
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
      if (await insertOrReplace(db, { ...idOf(request), bodyHash })) {
        const now = Date.now();
        if (now - cleanedUpAt > CLEAN_UP_EVERY_MS) {
          cleanedUpAt = now;
          await deleteOld(db);
        }
        return undefined;
      }
      // None when the first request has just failed: the next repeat begins anew.
      const kept = await db.prisma.idempotencyKey.findUnique({
        where: { userId_route_key: idOf(request) },
      });
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
      const headers = (kept.headers ?? {}) as KeptAnswer["headers"];
      return { status: kept.status, headers, body: kept.body };
    },
    keep: async (request: KeyedRequest, { status, headers, body }: KeptAnswer): Promise<void> => {
      const data = { status, headers, body };
      await db.prisma.idempotencyKey.updateMany({ where: idOf(request), data });
    },
    forget: async (request: KeyedRequest): Promise<void> => {
      await db.prisma.idempotencyKey.deleteMany({ where: idOf(request) });
    },
  };
};

type Id = { userId: string; route: string; key: string };

const idOf = ({ userId, route, key }: KeyedRequest): Id => ({ userId, route, key });

/** @returns false when a request with this key came first and still counts. */
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
        { createdAt: { lt: new Date(now - STORED_FOR_MS) } },
        { status: null, createdAt: { lt: new Date(now - ABANDONED_AFTER_MS) } },
      ],
    },
  });
  return count > 0 && (await insert());
};

const deleteOld = async (db: Queryable): Promise<void> => {
  const oldest = new Date((await readClock(db)).getTime() - STORED_FOR_MS);
  await db.prisma.idempotencyKey.deleteMany({ where: { createdAt: { lt: oldest } } });
};
