import { hash, randomBytes } from "node:crypto";
import { type ApiKeyScope, type KeyRestriction, SCOPES_OF_SET } from "@/contract/api-key";
import type { JsonValue } from "@/contract/json";
import type { Actor } from "@/server/context";
import { isUuid } from "@/lib/is-uuid";
import type { Database, Queryable } from "@/server/db/connection/database";
import { toJsonInput } from "@/server/db/chats/json-input";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import type { CredentialCaches } from "./credential-cache";

export type ApiKeyRow = {
  id: string;
  name: string;
  /** The first characters, to distinguish keys. */
  prefix: string;
  scopes: readonly ApiKeyScope[];
  only: KeyRestriction | null;
  expiresAt: Date | null;
  /** Made from PARLEY_API_KEY. */
  fromEnvironment: boolean;
  lastUsedAt: Date | null;
  createdAt: Date;
};

const PREFIX_LENGTH = 12;

/** Keys have 256 random bits and cannot be guessed, so one fast hash is enough. */
export const hashKey = (key: string): string => hash("sha256", key, "hex");

/** What is shown of a key. */
const SHOWN = {
  id: true,
  name: true,
  prefix: true,
  scopes: true,
  only: true,
  expiresAt: true,
  fromEnvironment: true,
  lastUsedAt: true,
  createdAt: true,
} as const;

type NewApiKey = {
  id: string;
  userId: string;
  name: string;
  scopes?: readonly ApiKeyScope[];
  only?: KeyRestriction | null;
  expiresAt?: Date | null;
  /** Made here unless the operator brought one. */
  key?: string;
  fromEnvironment?: boolean;
};

/** @returns also the key's text, which is not stored; undefined when the key exists already. */
export const createApiKey = async (
  db: Queryable,
  {
    key = `parley_${randomBytes(32).toString("base64url")}`,
    scopes = SCOPES_OF_SET.chat,
    only = null,
    ...fields
  }: NewApiKey,
): Promise<(ApiKeyRow & { key: string }) | undefined> => {
  const rights = { scopes: scopes.slice(), only: toJsonInput(only as JsonValue) };
  const shown = { prefix: key.slice(0, PREFIX_LENGTH), hash: hashKey(key) };
  const [row] = await db.prisma.apiKey.createManyAndReturn({
    data: [{ ...fields, ...rights, ...shown }],
    select: SHOWN,
    skipDuplicates: true,
  });
  return row && { ...row, ...toRights(row), key };
};

/** What a key may do, which only `createApiKey` writes. */
const toRights = ({ scopes, only }: { scopes: unknown; only: unknown }) => ({
  scopes: scopes as ApiKeyScope[],
  only: only as KeyRestriction | null,
});

/** The keys that work at a time. */
const validAt = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/** A user's keys that work, newest first. */
export const listApiKeys = async (db: Queryable, userId: string): Promise<ApiKeyRow[]> => {
  const rows = await db.prisma.apiKey.findMany({
    where: { userId, ...validAt(await readClock(db)) },
    select: SHOWN,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return rows.map((row) => ({ ...row, ...toRights(row) }));
};

/** @returns which of the keys still work. */
export const findValidKeyIds = async (db: Queryable, ids: string[]): Promise<string[]> => {
  const where = { id: { in: ids }, ...validAt(await readClock(db)) };
  return (await db.prisma.apiKey.findMany({ where, select: { id: true } })).map(({ id }) => id);
};

/**
 * Stops a key, in this process at once.
 *
 * @returns false when the user has no such working key.
 */
export const revokeApiKey = async (
  { db, caches }: { db: Database; caches: CredentialCaches },
  { id, userId }: { id: string; userId: string },
): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const count = await revokeKeys(db, { id, userId });
  caches.keys.clear();
  return count > 0;
};

/** Revokes the key that an earlier start had from the environment, unless it is this one. */
export const revokeEnvironmentKeys = async (db: Database, key: string | null): Promise<void> => {
  await revokeKeys(db, {
    fromEnvironment: true,
    ...(key !== null && { hash: { not: hashKey(key) } }),
  });
};

const revokeKeys = async (
  db: Database,
  where: { id?: string; userId?: string; fromEnvironment?: boolean; hash?: { not: string } },
): Promise<number> => {
  const { count } = await db.prisma.apiKey.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: await readClock(db) },
  });
  return count;
};

/** The use of a key is noted at most this often. */
const NOTE_USE_EVERY_MS = 60_000;

/** Whose key it is; notes the use, at most once a minute. */
export const findKeyActor = async (
  db: Queryable,
  key: { hash: string } | { id: string },
): Promise<Actor | undefined> => {
  const row = await db.prisma.apiKey.findUnique({
    where: { ...key, revokedAt: null },
    select: {
      id: true,
      userId: true,
      scopes: true,
      only: true,
      expiresAt: true,
      lastUsedAt: true,
      user: { select: { role: true } },
    },
  });
  if (!row) return undefined;
  const now = await readClock(db);
  const { id, userId, expiresAt, lastUsedAt, user } = row;
  if (expiresAt !== null && expiresAt <= now) return undefined;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > NOTE_USE_EVERY_MS) {
    await db.prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt: now } });
  }
  const rights = toRights(row);
  return {
    userId,
    labels: rights.only?.labels,
    role: user.role === "owner" ? "owner" : "member",
    credential: { type: "api_key", id, ...rights, expiresAt },
  };
};
