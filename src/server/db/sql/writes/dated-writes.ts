import type { JsonValue } from "@/contract/json";
import type { RecipeInput } from "@/contract/recipe";
import type { Queryable, Statement, Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";

// Raw, as these date rows by the clock of the database, which Prisma can only do where it inserts.

const SAVE_SETTING: Statement = {
  name: "save-setting",
  text: `INSERT INTO setting (key, value) VALUES ($1, $2::json)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
};

export const saveSetting = async (
  db: Queryable,
  setting: { key: string; value: JsonValue | object },
): Promise<void> => {
  await db.query(SAVE_SETTING, [setting.key, toJsonText(setting.value)]);
};

const REPLACE_MCP_SERVER: Statement = {
  name: "replace-mcp-server",
  text: `UPDATE mcp_server SET name = $2, declaration = $3::jsonb, updated_at = now() WHERE id = $1::uuid`,
};

export const replaceMcpServer = async (
  tx: Transaction,
  { id, declaration }: { id: string; declaration: object & { name: string } },
): Promise<void> => {
  await tx.query(REPLACE_MCP_SERVER, [id, declaration.name, toJsonText(declaration)]);
};

const REPLACE_RECIPE: Statement = {
  name: "replace-recipe",
  text: `UPDATE recipe SET declaration = $2::jsonb, updated_at = now() WHERE name = $1`,
};

export const replaceRecipe = async (tx: Transaction, declaration: RecipeInput): Promise<void> => {
  await tx.query(REPLACE_RECIPE, [declaration.name, toJsonText(declaration)]);
};

const REPLACE_PASSWORD: Statement = {
  name: "replace-password",
  text: `UPDATE account SET password = $3, updated_at = now()
    WHERE user_id = $1 AND provider_id = $4 AND password = $2 RETURNING id`,
};

/** Replaces the hash of a password. @returns false when it is another one than before. */
export const replacePasswordHash = async (
  tx: Transaction,
  account: { userId: string; providerId: string; before: string; password: string },
): Promise<boolean> => {
  const { userId, providerId, before, password } = account;
  const replaced = await tx.query(REPLACE_PASSWORD, [userId, before, password, providerId]);
  return replaced.length > 0;
};

// Rows of workers that ended without removing theirs are deleted after a day.
const RECORD_HEARTBEAT: Statement = {
  name: "record-heartbeat",
  text: `WITH gone AS (DELETE FROM worker WHERE owner <> $1 AND seen_at < now() - interval '1 day')
    INSERT INTO worker (owner) VALUES ($1) ON CONFLICT (owner) DO UPDATE SET seen_at = now()`,
};

/** Records that a worker is alive, from its first exec session on. */
export const recordHeartbeat = async (db: Queryable, owner: string): Promise<void> => {
  await db.query(RECORD_HEARTBEAT, [owner]);
};
