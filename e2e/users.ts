import { createHash, randomUUID } from "node:crypto";
import type pg from "pg";

/** How a test acts as a user. */
export type Credentials = { email: string; password: string; apiKey: string };

type NewUsers = {
  role: "owner" | "member";
  users: readonly Credentials[];
  /** Of the password that all of them have. */
  passwordHash: string;
};

const INSERT_USERS = `INSERT INTO "user" (id, name, email, role)
  SELECT id, split_part(email, '@', 1), email, $3 FROM unnest($1::text[], $2::text[]) AS t (id, email)`;
const INSERT_PASSWORDS = `INSERT INTO account (id, account_id, provider_id, user_id, password)
  SELECT id, id, 'credential', id, $2 FROM unnest($1::text[]) AS t (id)`;
const INSERT_KEYS = `INSERT INTO api_key (id, user_id, name, prefix, hash, scopes)
  SELECT t.id, user_id, 'of the test', left(key, 12), hash, '["admin"]'
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS t (id, user_id, key, hash)`;

/**
 * Adds users with an administrator's API key each: the product makes the first owner only, so others come by the
 * database, whose server must not be running.
 */
export const addUsers = async (
  pool: pg.Pool,
  { role, users, passwordHash }: NewUsers,
): Promise<void> => {
  const ids = users.map(() => randomUUID());
  const keys = users.map(({ apiKey }) => apiKey);
  const hashes = keys.map((key) => createHash("sha256").update(key).digest("hex"));
  await pool.query(INSERT_USERS, [ids, users.map(({ email }) => email), role]);
  await pool.query(INSERT_PASSWORDS, [ids, passwordHash]);
  await pool.query(INSERT_KEYS, [ids.map(() => randomUUID()), ids, keys, hashes]);
};
