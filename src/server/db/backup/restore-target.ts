import { existsSync, mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { createCluster, toClusterDirectory } from "@/server/db/connection/cluster";
import { syncPath, syncTree } from "@/server/db/connection/durable-fs";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import type { DatabaseSettings } from "@/server/db/connection/open-database";
import type { RawSession } from "./raw-session";
import { connect, openEmbeddedSession } from "./snapshot";

/** An empty database that becomes a restored one at once, or stays empty. */
export type RestoreTarget = {
  session: RawSession;
  commit: () => Promise<void>;
  /** Leaves what was not committed. */
  close: () => Promise<void>;
};

/** Which restore a database comes from. */
const RESTORE_KEY = "restored_by";

/** Whether this restore has ended, and only its directory is left. */
export const isRestored = async (settings: DatabaseSettings, id: string): Promise<boolean> => {
  if (settings.databaseUrl === null) return existsSync(toClusterDirectory(settings.dataDir));
  const { session, close } = await connect(settings);
  try {
    const [table] = await session.query("SELECT to_regclass('setting')::text");
    if (!table?.[0]) return false;
    const query = "SELECT value::text FROM setting WHERE key = $1";
    const [found] = await session.query(query, [RESTORE_KEY]);
    return found?.[0] === JSON.stringify(id);
  } finally {
    await close();
  }
};

/**
 * Opens the database that is restored into, in a transaction.
 *
 * @param scratch where the files of an embedded one are until it is whole.
 * @throws {Error} a sentence, when it is not empty.
 */
export const openTarget = async (
  settings: DatabaseSettings,
  scratch: string,
): Promise<RestoreTarget> =>
  settings.databaseUrl === null
    ? openEmbeddedTarget(settings.dataDir, path.join(scratch, "pg"))
    : openServerTarget(settings);

const openEmbeddedTarget = async (dataDir: string, directory: string): Promise<RestoreTarget> => {
  mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 });
  await createCluster(directory);
  const { session, close } = await openEmbeddedSession(directory);
  await session.exec("BEGIN");
  let isClosed = false;
  const closeOnce = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await close();
  };
  return {
    session,
    commit: async () => {
      await session.exec("COMMIT");
      await session.exec("CHECKPOINT");
      await closeOnce();
      syncTree(directory);
      renameSync(directory, toClusterDirectory(dataDir));
      syncPath(dataDir);
    },
    close: closeOnce,
  };
};

/** Tables that do not belong to an extension. */
const TABLES = `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname LIMIT 1`;

const openServerTarget = async (settings: DatabaseSettings): Promise<RestoreTarget> => {
  const { session, close } = await connect(settings);
  try {
    await requireEmpty(session);
    await session.exec("BEGIN");
    return {
      session,
      commit: async () => {
        await session.exec("COMMIT");
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** @throws {Error} a sentence. */
export const requireEmptyServer = async (settings: DatabaseSettings): Promise<void> => {
  if (settings.databaseUrl === null) return;
  const { session, close } = await connect(settings);
  await requireEmpty(session).finally(close);
};

const requireEmpty = async (session: RawSession): Promise<void> => {
  const [found] = await session.query(TABLES);
  if (!found) return;
  throw new Error(
    `The database of DATABASE_URL is not empty (it has the table "${found[0]}"): ` +
      "create a new one (CREATE DATABASE), and set DATABASE_URL to it.",
  );
};

/** Brings a database to a schema inside of its transaction, of which each migration is a part that can be undone. */
export const migrate = async (
  session: RawSession,
  isWanted?: (name: string) => boolean,
): Promise<void> => {
  const statements = new Map([
    ["BEGIN", "SAVEPOINT migration"],
    ["COMMIT", "RELEASE SAVEPOINT migration"],
    ["ROLLBACK", "ROLLBACK TO SAVEPOINT migration"],
  ]);
  await applyMigrations(
    {
      exec: (sql) => session.exec(statements.get(sql) ?? sql),
      query: session.read,
      warn: () => undefined,
    },
    undefined,
    isWanted,
  );
};

const MARK = `INSERT INTO setting (key, value) VALUES ($1, $2::json)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Remembers in the database itself that it comes from a restore, for the case that the process ends right after the commit. */
export const markRestored = async (session: RawSession, id: string): Promise<void> => {
  await session.query(MARK, [RESTORE_KEY, JSON.stringify(id)]);
};
