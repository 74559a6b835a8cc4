import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { formatHost } from "@/lib/format-host";
import type { ConnectionSource } from "./create-database";
import { hasLostSession, isOfCall } from "./database-failure";
import { requireRights } from "./database-rights.mjs";
import { pendingMigrations } from "./migrate.mjs";
import { isSameSession } from "./pool-mode";
import { createPostgresBus } from "./postgres-bus";
import { createServerConfig, type ServerConfig } from "./server-client.mjs";
import { createSessions } from "./server-sessions";
import { createSharedConnection } from "./shared-connection";
import { createUsability } from "./usability";
import { typeParsers } from "./type-parsers";

/** Idle connections stay open this long, because a new one has to prepare its statements again. */
const IDLE_TIMEOUT_MS = 5 * 60_000;
/** A half-open connection never confirms its end, so the process does not wait longer than this. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Before proxies and firewalls forget an idle connection, which the quickest do after 30 s. */
const KEEP_ALIVE_DELAY_MS = 15_000;

export type ConnectionLimits = {
  /** Requests that wait longer for a connection fail; normal waits are much shorter. */
  connectTimeoutMs: number;
  /** The server gives up waiting for a lock. */
  lockTimeoutMs: number;
  /** The server ends a statement. Longer, so that a wait for a lock is reported as one. */
  statementTimeoutMs: number;
  /**
   * The process ends a connection that does not answer. Longer, so that a slow statement is ended by the
   * server and costs no connection.
   */
  queryTimeoutMs: number;
  /**
   * The server ends a transaction whose process froze or cannot be reached: retries of the same request wait
   * for its locks.
   */
  idleInTransactionMs: number;
  /**
   * A connection is replaced at this age, because proxies drop old ones silently and a failover changes the server.
   */
  maxAgeMs: number;
};

/** Our statements take milliseconds. A lease of 30 s survives one renewal that hangs for this long. */
const LIMITS: ConnectionLimits = {
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 4_000,
  statementTimeoutMs: 8_000,
  queryTimeoutMs: 10_000,
  idleInTransactionMs: 10_000,
  maxAgeMs: 30 * 60_000,
};

/** Where a server is. */
export type ServerAddress = {
  /** Of the server, or of a pooler in front of it. */
  databaseUrl: string;
  /** Of the server itself, without a pooler; by default the same. */
  directUrl?: string | null;
};

/** Connections to a PostgreSQL server. */
export const postgresSource = (
  { databaseUrl, directUrl = null }: ServerAddress,
  poolSize: number,
  limits: Partial<ConnectionLimits> = {},
): ConnectionSource => {
  const { maxAgeMs, ...timeouts } = { ...LIMITS, ...limits };
  const config = createConfig(databaseUrl, "DATABASE_URL", timeouts);
  const direct =
    directUrl === null ? undefined : createConfig(directUrl, "DATABASE_DIRECT_URL", timeouts);
  const sessions = createSessions({ config, direct }, timeouts);
  const { pool, closeIdle } = createPool(
    { ...config, max: poolSize, maxLifetimeSeconds: maxAgeMs / 1_000 },
    sessions.prepare,
  );
  const shared = createSharedConnection(direct ?? config, {
    maxMore: poolSize,
    maxAgeMs,
    checkMs: timeouts.queryTimeoutMs,
    prepare: sessions.set,
    onCheck: async (connection) => {
      const isByPooler = sessions.isKept() && direct === undefined;
      if (isByPooler && (await isSameSession(connection, pool))) usability.recheck();
    },
  });
  const changes = createPostgresBus(direct ?? config, shared.listen);
  /** What the sessions of before knew may be lost. */
  const replaceAll = (): void => {
    closeIdle(performance.now());
    shared.drop();
  };
  const usability = createUsability(async () => {
    if (await sessions.findMode()) replaceAll();
    await requireUsable(pool, sessions.warn);
  }, replaceAll);
  return {
    name: nameDatabase(config),
    pool: async () => {
      await usability.require();
      return pool;
    },
    query: async (statement) => {
      await usability.require();
      const answer = statement.usePool ? undefined : await shared.query(statement);
      return answer ?? pool.query(statement);
    },
    listen: shared.listen,
    changes,
    handleFailure: (failure, startedAt) => {
      if (isOfCall(failure)) return;
      // What ended one connection ends the others too, and each would cost a call of its own.
      closeIdle(startedAt);
      if (failure.kind === "unwritable") shared.replace(startedAt);
      else usability.recheck();
      if (hasLostSession(failure)) shared.drop();
    },
    close: async () => {
      usability.close();
      const closed = Promise.all([changes.close(), shared.close(), pool.end()]);
      await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
};

const createPool = (
  config: ServerConfig & pg.PoolConfig,
  prepare: (client: pg.ClientBase) => Promise<void>,
) => {
  const openedAt = new WeakMap<pg.ClientBase, number>();
  // The pool waits for it, although its type does not say so.
  const pool = new pg.Pool(
    Object.assign({ onConnect: prepare, idleTimeoutMillis: IDLE_TIMEOUT_MS }, config),
  );
  // The pool removes a broken connection itself, and the next query on it rejects.
  // Without a listener, these events would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    openedAt.set(client, performance.now());
    client.on("error", () => undefined);
  });
  return {
    pool,
    /** Closes the connections that are idle and were opened before a time. */
    closeIdle: (before: number): void => {
      for (let count = pool.idleCount; count > 0; count--) {
        pool.connect().then(
          (client) => {
            const isOld = (openedAt.get(client) ?? 0) < before;
            // A half-open connection would not answer the usual good-bye.
            if (isOld) client.connection.stream.destroy();
            client.release(isOld);
          },
          () => undefined,
        );
      }
    },
  };
};

/** @returns `127.0.0.1:5432/parley`: where it is, without the account. */
const nameDatabase = (config: ServerConfig): string => {
  const { host, port, database = "" } = new pg.Client(config);
  return `${formatHost(host)}:${port}/${database}`;
};

const requireUsable = async (
  pool: pg.Pool,
  warn: (client: pg.PoolClient) => Promise<void>,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await warn(client);
  } finally {
    client.release();
  }
  await requireMigrated(pool);
};

/** Only checks: several processes share a server, so none of them migrates it at its start. */
const requireMigrated = async (pool: pg.Pool): Promise<void> => {
  const session = {
    query: async (sql: string) => (await pool.query<Record<string, unknown>>(sql)).rows,
  };
  await requireRights(session);
  const pending = await pendingMigrations(session);
  if (pending.length > 0) {
    throw new Error(
      `The database of DATABASE_URL lacks the migration ${pending.join(", ")}: run \`npm run db:migrate\`.`,
    );
  }
};

const createConfig = (
  url: string,
  variable: string,
  {
    queryTimeoutMs,
    connectTimeoutMs,
  }: Pick<ConnectionLimits, "queryTimeoutMs" | "connectTimeoutMs">,
): ServerConfig => ({
  ...createServerConfig(url, variable),
  types: typeParsers,
  query_timeout: queryTimeoutMs,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
});
