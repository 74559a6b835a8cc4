import { hash, randomBytes } from "node:crypto";
import type { Actor } from "@/server/context";
import { isUuid } from "@/lib/is-uuid";
import type { Database, Queryable } from "@/server/db/database";
import { readClock } from "@/server/db/sql/clock-reads";
import { getKeyCache } from "./actor-cache";

export type ApiKeyRow = {
  id: string;
  name: string;
  /** The first characters, to distinguish keys. */
  prefix: string;
  lastUsedAt: Date | null;
  createdAt: Date;
};

const PREFIX_LENGTH = 12;

/** Keys have 256 random bits and cannot be guessed, so one fast hash is enough. */
const hashOf = (key: string): string => hash("sha256", key, "hex");

/** What is shown of a key. */
const SHOWN = { id: true, name: true, prefix: true, lastUsedAt: true, createdAt: true } as const;

type NewApiKey = {
  id: string;
  userId: string;
  name: string;
  /** Made here unless the operator brought one. */
  key?: string;
};

/** @returns also the key's text, which is not stored; undefined when the key exists already. */
export const createApiKey = async (
  db: Queryable,
  { id, userId, name, key = `parley_${randomBytes(32).toString("base64url")}` }: NewApiKey,
): Promise<(ApiKeyRow & { key: string }) | undefined> => {
  const prefix = key.slice(0, PREFIX_LENGTH);
  const [row] = await db.prisma.apiKey.createManyAndReturn({
    data: [{ id, userId, name, prefix, hash: hashOf(key) }],
    select: SHOWN,
    skipDuplicates: true,
  });
  return row && { ...row, key };
};

/** A user's keys that work, newest first. */
export const listApiKeys = ({ prisma }: Queryable, userId: string): Promise<ApiKeyRow[]> =>
  prisma.apiKey.findMany({
    where: { userId, revokedAt: null },
    select: SHOWN,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });

/**
 * Stops a key, in this process at once.
 *
 * @returns false when the user has no such working key.
 */
export const revokeApiKey = async (
  db: Database,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const { count } = await db.prisma.apiKey.updateMany({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: await readClock(db) },
  });
  getKeyCache(db).clear();
  return count > 0;
};

/** The use of a key is noted at most this often. */
const NOTE_USE_EVERY_MS = 60_000;

/** Whose key it is; notes the use, at most once a minute. */
export const findKeyActor = async (db: Queryable, key: string): Promise<Actor | undefined> => {
  const [row, now] = await Promise.all([
    db.prisma.apiKey.findUnique({
      where: { hash: hashOf(key), revokedAt: null },
      select: { id: true, userId: true, lastUsedAt: true, user: { select: { role: true } } },
    }),
    readClock(db),
  ]);
  if (!row) return undefined;
  const { id, userId, lastUsedAt, user } = row;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > NOTE_USE_EVERY_MS) {
    await db.prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt: now } });
  }
  return { apiKeyId: id, userId, role: user.role === "owner" ? "owner" : "member" };
};
