import pg from "pg";
import type { ConnectionSource } from "./create-database";
import { pendingMigrations } from "./migrate.mjs";
import { plannerOptions } from "./planner-settings";
import { createSharedConnection } from "./shared-connection";
import { typeParsers } from "./type-parsers";

/** Requests that wait longer for a connection fail; normal waits are much shorter. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Idle connections stay open this long, because a new one has to prepare its statements again. */
const IDLE_TIMEOUT_MS = 5 * 60_000;
/** Releases the locks of a process that froze inside a transaction. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Connections to a PostgreSQL server. */
export const postgresSource = (databaseUrl: string, poolSize: number): ConnectionSource => {
  const connectionString = withOptions(databaseUrl);
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    types: typeParsers,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  // The pool removes a broken connection itself, and the next query on it rejects.
  // Without a listener, these events would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const shared = createSharedConnection({ connectionString, types: typeParsers, keepAlive: true });
  let migrated: Promise<void> | undefined;
  const ready = (): Promise<void> =>
    (migrated ??= requireMigrated(pool).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    }));
  return {
    pool: async () => {
      await ready();
      return pool;
    },
    query: async (statement) => {
      await ready();
      const answer = statement.usePool ? undefined : await shared.query(statement);
      return answer ?? pool.query(statement);
    },
    listen: shared.listen,
    close: async () => {
      await shared.close();
      await pool.end();
    },
  };
};

/** Only checks: several processes share a server, so none of them migrates it at its start. */
const requireMigrated = async (pool: pg.Pool): Promise<void> => {
  const pending = await pendingMigrations({
    query: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
  });
  if (pending.length > 0) {
    throw new Error(
      `The database of DATABASE_URL lacks the migration ${pending.join(", ")}: run \`npm run db:migrate\`.`,
    );
  }
};

/** Prisma reads times without their offset, so every connection has to be in UTC. */
const withOptions = (databaseUrl: string): string => {
  const url = new URL(databaseUrl);
  const options = [
    url.searchParams.get("options") ?? "",
    `-c TimeZone=UTC -c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    ...plannerOptions,
  ];
  url.searchParams.set("options", options.join(" ").trim());
  url.searchParams.set("application_name", url.searchParams.get("application_name") ?? "parley");
  return url.toString();
};
