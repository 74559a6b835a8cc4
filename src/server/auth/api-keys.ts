import { hash, randomBytes } from "node:crypto";
import type { Actor } from "@/server/context";
import { isUuid } from "@/lib/is-uuid";
import type { Database, Statement } from "@/server/db/database";
import { getKeyCache } from "./actor-cache";

export type ApiKeyRow = {
  id: string;
  name: string;
  /** The first characters, to tell keys apart. */
  prefix: string;
  lastUsedAt: Date | null;
  createdAt: Date;
};

const PREFIX_LENGTH = 12;

/** Keys have 256 bits of chance, so one fast hash is enough: there is nothing to guess. */
const hashOf = (key: string): string => hash("sha256", key, "hex");

const INSERT_API_KEY: Statement = {
  name: "insert-api-key",
  text: `
    INSERT INTO api_key (id, user_id, name, prefix, hash)
    VALUES ($1::uuid, $2, $3, $4, $5)
    ON CONFLICT (hash) DO NOTHING
    RETURNING id, name, prefix, last_used_at AS "lastUsedAt", created_at AS "createdAt"`,
};

type NewApiKey = {
  id: string;
  userId: string;
  name: string;
  /** Made here unless the operator brought one. */
  key?: string;
};

/** @returns the key's text too, which nobody can read again; undefined when that key exists. */
export const createApiKey = async (
  db: Database,
  { id, userId, name, key = `parley_${randomBytes(32).toString("base64url")}` }: NewApiKey,
): Promise<(ApiKeyRow & { key: string }) | undefined> => {
  const prefix = key.slice(0, PREFIX_LENGTH);
  const [row] = await db.query<ApiKeyRow>(INSERT_API_KEY, [id, userId, name, prefix, hashOf(key)]);
  return row && { ...row, key };
};

const LIST_API_KEYS: Statement = {
  name: "list-api-keys",
  text: `
    SELECT id, name, prefix, last_used_at AS "lastUsedAt", created_at AS "createdAt"
    FROM api_key WHERE user_id = $1 AND revoked_at IS NULL
    ORDER BY created_at DESC, id DESC`,
};

/** A user's keys that work, newest first. */
export const listApiKeys = (db: Database, userId: string): Promise<ApiKeyRow[]> =>
  db.query<ApiKeyRow>(LIST_API_KEYS, [userId]);

const REVOKE_API_KEY: Statement = {
  name: "revoke-api-key",
  text: `
    UPDATE api_key SET revoked_at = now()
    WHERE id = $1::uuid AND user_id = $2 AND revoked_at IS NULL
    RETURNING id`,
};

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
  const revoked = await db.query(REVOKE_API_KEY, [id, userId]);
  getKeyCache(db).clear();
  return revoked.length > 0;
};

const FIND_KEY_ACTOR: Statement = {
  name: "find-key-actor",
  text: `
    WITH used AS (
      UPDATE api_key SET last_used_at = now()
      WHERE hash = $1 AND revoked_at IS NULL
        AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
    )
    SELECT k.id AS "apiKeyId", k.user_id AS "userId", u.role
    FROM api_key k JOIN "user" u ON u.id = k.user_id
    WHERE k.hash = $1 AND k.revoked_at IS NULL`,
};

/** Whose key it is; notes the use, at most once a minute. */
export const findKeyActor = async (db: Database, key: string): Promise<Actor | undefined> => {
  const [row] = await db.query<{ apiKeyId: string; userId: string; role: string }>(FIND_KEY_ACTOR, [
    hashOf(key),
  ]);
  return row && { ...row, role: row.role === "owner" ? "owner" : "member" };
};
