// Plain JavaScript, as it also runs outside the bundler. Uses Prisma's table, checksums and lock,
// so that `prisma migrate deploy` and this may be used on the same database.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { explainDenial, requireSchema } from "./database-rights.mjs";

const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;
const APPLIED = `SELECT migration_name, checksum, finished_at FROM "_prisma_migrations"
  WHERE rolled_back_at IS NULL`;
const RECORD = `INSERT INTO "_prisma_migrations"
  (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`;
/** Chats that no transition can have made: see `classify` of the state machine. */
const INVALID_CHATS = `SELECT id, status, queued_count, archived_at IS NOT NULL AS archived FROM chat
  WHERE (status = 'waiting' AND queued_count > 0 AND NOT queue_paused)
    OR (archived_at IS NOT NULL AND status NOT IN ('waiting', 'error')) ORDER BY id`;
const EXTENSION_HELP =
  "The search needs PostgreSQL's extensions pg_trgm and btree_gin. If the server does not have them, install its " +
  "package of additional modules (postgresql-contrib). Then run `CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin;` " +
  "in this database as its owner or as a superuser, and migrate again.";
/** Prisma begins with it. It needs a right in the database even if the schema is there, as it is by now. */
const CREATE_SCHEMA = 'CREATE SCHEMA IF NOT EXISTS "public";';
/** The advisory lock that `prisma migrate` takes. */
const LOCK = 72707369;

/**
 * One session of a database. `exec` runs any number of statements without values; `warn` receives
 * sentences for the operator.
 *
 * @typedef {object} Session
 * @property {(sql: string) => Promise<unknown>} exec
 * @property {(sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>} query
 * @property {(sentence: string) => void} warn
 */

/**
 * Brings the database up to the migrations of this version; several may run at once.
 *
 * @param {Session} session
 * @param {string} [directory]
 * @param {(name: string) => boolean} [isWanted] leaves out others, as in an earlier version.
 * @returns {Promise<string[]>} the names of those applied now.
 */
export const applyMigrations = async (
  session,
  directory = migrationsDirectory(),
  isWanted = () => true,
) => {
  const migrations = readMigrations(directory).filter(({ name }) => isWanted(name));
  // Without changes, as a role that only changes rows may look, too.
  if ((await listPending(session, migrations)).length === 0) return [];
  try {
    await requireSchema(session);
    return await applyPending(session, migrations);
  } catch (error) {
    throw await explainDenial(session, error);
  }
};

/** @type {(session: Session, migrations: ReturnType<typeof readMigrations>) => Promise<string[]>} */
const applyPending = async (session, migrations) => {
  await session.exec(`SELECT pg_advisory_lock(${LOCK})`);
  try {
    await session.exec(TABLE);
    const pending = findPending(migrations, await session.query(APPLIED));
    for (const migration of pending) await applyOne(session, migration);
    if (pending.length > 0 && isWhole(migrations)) await warnOfInvalidChats(session);
    return pending.map(({ name }) => name);
  } finally {
    await session.exec(`SELECT pg_advisory_unlock(${LOCK})`);
  }
};

/** Whether the newest columns are there. @type {(migrations: ReturnType<typeof readMigrations>) => boolean} */
const isWhole = (migrations) => migrations.at(-1)?.name === [...knownMigrations().keys()].at(-1);

/**
 * No migration changes the state of a chat, not even of an invalid one: the operator reads which they are.
 *
 * @param {Session} session
 */
const warnOfInvalidChats = async (session) => {
  for (const { id, status, queued_count, archived } of await session.query(INVALID_CHATS)) {
    session.warn(
      `Chat ${id} is in an invalid state (status "${status}", ${queued_count} queued${archived ? ", archived" : ""}). ` +
        `It was left as it is: POST /api/v1/chats/${id}/reconcile repairs it.`,
    );
  }
};

/**
 * Which migrations the database still needs, without changing it.
 *
 * @param {Pick<Session, "query">} session
 * @param {string} [directory]
 * @returns {Promise<string[]>}
 */
export const pendingMigrations = async (session, directory = migrationsDirectory()) =>
  (await listPending(session, readMigrations(directory))).map(({ name }) => name);

/** @type {(session: Pick<Session, "query">, migrations: ReturnType<typeof readMigrations>) => Promise<ReturnType<typeof readMigrations>>} */
const listPending = async (session, migrations) => {
  const [row] = await session.query(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS known`,
  );
  const applied = row?.known ? await session.query(APPLIED) : [];
  return findPending(migrations, applied);
};

/** @returns {Map<string, string>} the checksums of this version's migrations, by their names. */
export const knownMigrations = () =>
  new Map(readMigrations(migrationsDirectory()).map(({ name, checksum }) => [name, checksum]));

const migrationsDirectory = () => path.join(process.cwd(), "prisma", "migrations");

/** @param {string} directory */
const readMigrations = (directory) =>
  readdirSync(/* turbopackIgnore: true */ directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const file = path.join(directory, name, "migration.sql");
      const sql = readFileSync(/* turbopackIgnore: true */ file, "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });

/**
 * @param {{ name: string, sql: string, checksum: string }[]} migrations
 * @param {Record<string, unknown>[]} applied
 */
const findPending = (migrations, applied) => {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = applied.find((row) => !known.has(String(row.migration_name)));
  if (newer) {
    throw new Error(
      `The database was changed by a newer version (migration ${newer.migration_name}): run that version, or restore a backup`,
    );
  }
  const rows = new Map(applied.map((row) => [row.migration_name, row]));
  return migrations.filter(({ name, checksum }) => {
    const row = rows.get(name);
    if (row && !row.finished_at) {
      throw new Error(
        `Migration ${name} failed earlier: repair it with \`prisma migrate resolve\``,
      );
    }
    if (row && row.checksum !== checksum) {
      throw new Error(`Migration ${name} was edited after it had been applied: restore its file`);
    }
    return !row;
  });
};

/**
 * @param {Session} session
 * @param {{ name: string, sql: string, checksum: string }} migration
 */
const applyOne = async (session, { name, sql, checksum }) => {
  await session.exec("BEGIN");
  try {
    await session.exec(sql.replace(CREATE_SCHEMA, ""));
    await session.query(RECORD, [randomUUID(), checksum, name]);
    await session.exec("COMMIT");
  } catch (error) {
    await session.exec("ROLLBACK");
    const reason = error instanceof Error ? error.message : String(error);
    const help = sql.includes("CREATE EXTENSION") && /extension/i.test(reason);
    throw new Error(`Migration ${name} failed: ${reason}${help ? `. ${EXTENSION_HELP}` : ""}`, {
      cause: error,
    });
  }
};
