import type { JsonValue } from "@/contract/json";
import type { RecipeInput } from "@/contract/recipe";
import type { ToolsetDeclaration } from "@/contract/toolset";
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

const REPLACE_TOOLSET: Statement = {
  name: "replace-toolset",
  text: `UPDATE toolset SET declaration = $2::json, declared_by = $3, revision = revision + 1, updated_at = now()
    WHERE name = $1`,
};

export const replaceToolset = async (
  tx: Transaction,
  {
    name,
    declaration,
    declaredBy,
  }: { name: string; declaration: ToolsetDeclaration; declaredBy: string },
): Promise<void> => {
  await tx.query(REPLACE_TOOLSET, [name, toJsonText(declaration), declaredBy]);
};

// Those that do not come again are deleted after a day. Of one that is gone meanwhile nothing is written.
const RECORD_RUNNERS: Statement = {
  name: "record-toolset-runners",
  text: `WITH seen AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS seen (toolset, holder, version)),
    gone AS (DELETE FROM toolset_runner WHERE seen_at < now() - interval '1 day'
      AND (toolset, holder) NOT IN (SELECT toolset, holder FROM seen))
    INSERT INTO toolset_runner (toolset, holder, version)
    SELECT seen.toolset, seen.holder, seen.version FROM seen JOIN toolset ON toolset.name = seen.toolset
    ON CONFLICT (toolset, holder) DO UPDATE SET version = excluded.version, seen_at = now()`,
};

/** A program that runs the tools of a toolset. */
export type Runner = { toolset: string; holder: string; version: string };

/** Records that programs are connected. @param runners without two of the same. */
export const recordRunners = async (db: Queryable, runners: readonly Runner[]): Promise<void> => {
  const columns = (["toolset", "holder", "version"] as const).map((name) =>
    runners.map((runner) => runner[name]),
  );
  await db.query(RECORD_RUNNERS, columns);
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
