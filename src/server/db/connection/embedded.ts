import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { makeDataDirectory } from "@/server/env";
import { log } from "@/server/log";
import { END_ALL_LEASES } from "@/server/db/sql/rows/chat-row";
import { createCluster, keepPrivate, openInstance, toClusterDirectory } from "./cluster";
import type { ConnectionSource } from "./create-database";
import { describeRepair } from "./damage";
import type { Database } from "./database";
import { CHECKPOINT_LOCK, lockDirectory, tryLock } from "./directory-lock";
import { applyMigrations } from "./migrate.mjs";
import { createPglitePool } from "./pglite-pool";
import { requireNoRestore } from "./unfinished-restore";
import { startUpkeep } from "./upkeep";

/** As with a server, see postgres.ts; here nothing else runs meanwhile. */
const IDLE_IN_TRANSACTION_MS = 10_000;

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
    repair: describeRepair(dataDir),
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
    requireNoRestore(dataDir);
    const directory = toClusterDirectory(dataDir);
    await createCluster(directory);
    keepPrivate(directory);
    const served = await openCluster(directory, onFailure);
    const onUpkeepError = (error: unknown): void => {
      log().warn({ err: error }, "upkeep of the embedded database failed");
    };
    const stopUpkeep = startUpkeep(served.pool, onUpkeepError, {
      lock: () => tryLock(dataDir, CHECKPOINT_LOCK),
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

const openCluster = async (
  directory: string,
  onFailure: OpenOptions["onFailure"],
): Promise<Embedded> => {
  const { lite, explain } = await openInstance(directory);
  try {
    const served = await serveEmbedded(lite, onFailure);
    // The lock on the directory proves that no process has the chats that are leased, or works on a task.
    await served.pool.query(END_ALL_LEASES);
    return served;
  } catch (error) {
    throw explain(error);
  }
};
