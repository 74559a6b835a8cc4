import { execFile } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import pg from "pg";
import { getErrorMessage } from "@/lib/error-message";
import { makeDataDirectory } from "@/server/env";
import { log } from "@/server/log";
import type { ConnectionSource } from "./create-database";
import { createDamageError, createStartLog, describeRepair, explainOpening } from "./damage";
import type { Database } from "./database";
import { lockDirectory } from "./directory-lock";
import { createDurableFs, makeTreePrivate, syncPath, syncTree } from "./durable-fs";
import { applyMigrations } from "./migrate.mjs";
import { createPglitePool } from "./pglite-pool";
import { plannerOptions } from "./planner-settings";
import { END_ALL_LEASES } from "@/server/db/sql/rows/chat-row";
import { startUpkeep } from "./upkeep";

/** PostgreSQL's major version inside the pinned PGlite; a directory belongs to one. */
const PG_MAJOR = "18";

/** As with a server, see postgres.ts; here nothing else runs meanwhile. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Without `-F`, which would turn fsync off; the small buffers save some 100 MB. */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "wal_sync_method=fsync",
  "-c",
  "shared_buffers=32MB",
  ...plannerOptions,
];

/** PostgreSQL's extensions that the migrations create. */
export const EXTENSIONS = { btree_gin, pg_trgm };

type Embedded = { pool: pg.Pool; listen: Database["listen"]; close: () => Promise<void> };

/**
 * The embedded database in `<dataDir>/pg`, opened by the first use of it.
 *
 * @param lockWaitMs how long to wait for another process to leave the directory.
 */
export const embeddedSource = (dataDir: string, lockWaitMs?: number): ConnectionSource => {
  const failure = new AbortController();
  const onFailure = (error: Error): void => {
    failure.abort(error);
  };
  let opened: Promise<Embedded> | undefined;
  let closed = false;
  const open = (): Promise<Embedded> => {
    if (closed) return Promise.reject(new Error("the database is closed"));
    return (opened ??= openEmbedded(dataDir, { lockWaitMs, onFailure }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  };
  return {
    name: "embedded",
    repair: describeRepair(toClusterDirectory(dataDir)),
    pool: async () => (await open()).pool,
    query: async (statement) => (await open()).pool.query(statement),
    listen: async (channel, listener) => (await open()).listen(channel, listener),
    failure: failure.signal,
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    close: async () => {
      closed = true;
      // A failed instance cannot be closed: what it has acknowledged is on the disk.
      if (!failure.signal.aborted) await (await opened)?.close();
    },
  };
};

/** A PGlite instance with its schema up to date, as a pool and its notifications. */
export const serveEmbedded = async (
  lite: PGlite,
  onFailure: (error: Error) => void,
): Promise<Embedded> => {
  await applyMigrations({
    exec: (sql) => lite.exec(sql),
    query: async (sql, values) => (await lite.query<Record<string, unknown>>(sql, values)).rows,
    warn: (sentence) => log().warn(sentence),
  });
  const listeners = new Set<{ channel: string; listener: (payload: string) => void }>();
  const onNotification = (channel: string, payload: string): void => {
    for (const one of listeners) if (one.channel === channel) one.listener(payload);
  };
  const pool = createPglitePool(lite, { onNotification, onFailure });
  return {
    pool,
    listen: async (channel, listener) => {
      const entry = { channel, listener };
      listeners.add(entry);
      // Through the pool, so that it is not part of another transaction, which may be rolled back.
      await pool.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      return () => {
        listeners.delete(entry);
        return Promise.resolve();
      };
    },
    close: async () => {
      await pool.end();
      await lite.close();
    },
  };
};

type OpenOptions = { lockWaitMs: number | undefined; onFailure: (error: Error) => void };

const openEmbedded = async (
  dataDir: string,
  { lockWaitMs, onFailure }: OpenOptions,
): Promise<Embedded> => {
  makeDataDirectory(dataDir);
  const unlock = await lockDirectory(dataDir, lockWaitMs);
  try {
    const directory = toClusterDirectory(dataDir);
    await createCluster(directory);
    keepPrivate(directory);
    const served = await openCluster(directory, onFailure);
    const stopUpkeep = startUpkeep(served.pool, (error) => {
      log().warn({ err: error }, "upkeep of the embedded database failed");
    });
    return {
      ...served,
      close: async () => {
        await stopUpkeep();
        await served.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
};

const toClusterDirectory = (dataDir: string): string =>
  path.join(/* turbopackIgnore: true */ dataDir, "pg");

const openCluster = async (
  directory: string,
  onFailure: OpenOptions["onFailure"],
): Promise<Embedded> => {
  const startLog = createStartLog();
  try {
    const lite = await PGlite.create({
      fs: createDurableFs(directory),
      extensions: EXTENSIONS,
      startParams: START_PARAMETERS,
      onStderr: startLog.add,
    });
    const served = await serveEmbedded(lite, onFailure);
    // The lock on the directory proves that no process has the chats that are leased, or works on a task.
    await served.pool.query(END_ALL_LEASES);
    return served;
  } catch (error) {
    throw explainOpening(error, directory, startLog.reason());
  }
};

/** Creates the data directory at the first start; a killed process must not leave an incomplete one. */
const createCluster = async (directory: string): Promise<void> => {
  if (isNew(directory)) {
    const aside = `${directory}.init`;
    rmSync(aside, { recursive: true, force: true });
    await initialise(aside).catch((error: unknown) => {
      throw explainOpening(error, path.dirname(directory), undefined);
    });
    makeTreePrivate(aside);
    syncTree(aside);
    rmSync(directory, { recursive: true, force: true });
    renameSync(aside, directory);
    syncPath(path.dirname(directory));
  }
  const major = readMajor(directory);
  if (major !== PG_MAJOR) {
    throw new Error(
      `${directory} was written by PostgreSQL ${major}, and this version embeds ${PG_MAJOR}: ` +
        "start the version that wrote it, or move the directory away.",
    );
  }
};

/** @throws {Error} when something is there that is no directory. */
const isNew = (directory: string): boolean => {
  const found = statSync(/* turbopackIgnore: true */ directory, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) throw createDamageError(directory, "it is not a directory");
  return !found || readdirSync(/* turbopackIgnore: true */ directory).length === 0;
};

const readMajor = (directory: string): string => {
  try {
    const file = path.join(directory, "PG_VERSION");
    const major = readFileSync(/* turbopackIgnore: true */ file, "utf8").trim();
    if (/^\d+$/.test(major)) return major;
  } catch (error) {
    throw createDamageError(directory, `PG_VERSION: ${getErrorMessage(error)}`, error);
  }
  throw createDamageError(directory, "its file PG_VERSION has no version");
};

/** For what earlier versions wrote, and copies that were restored. */
const keepPrivate = (directory: string): void => {
  try {
    makeTreePrivate(directory);
  } catch (error) {
    // Mounted volumes may belong to another account, whose files this one can write all the same.
    log().warn({ err: error, directory }, "modes of the embedded database could not be set");
  }
};

const INITIALISE = `import { PGlite } from "@electric-sql/pglite";
await (await PGlite.create(process.argv[1])).close();`;

/** Runs in a process of its own, because some 450 MB of memory would not be released. */
const initialise = async (directory: string): Promise<void> => {
  await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", INITIALISE, directory],
    { cwd: process.cwd() },
  );
};
