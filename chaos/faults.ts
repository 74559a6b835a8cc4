import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { runSql } from "../e2e/run-sql";
import type { TestDatabase } from "../e2e/test-database";
import type { TestServer } from "../e2e/server";
import type { DatabaseProxy } from "./database-proxy";
import type { HostileProvider } from "./provider/hostile-provider";
import type { Random } from "./random";

/** Everything that can fail. */
export type World = {
  server: TestServer;
  provider: HostileProvider;
  random: Random;
  /** Only with PostgreSQL. */
  postgres: { database: TestDatabase; url: string; proxy: DatabaseProxy } | undefined;
};

/** Faults that last some time last as long as these, in milliseconds. */
const MIN_FAULT_MS = 1_000;
const MAX_FAULT_MS = 4_000;

const lastFor = ({ random }: World): Promise<void> =>
  pause(random.between(MIN_FAULT_MS, MAX_FAULT_MS));

/** Lets a fault happen; resolves when its cause is over and a killed server is up again. */
type Strike = (world: World) => Promise<void>;

const getPostgres = ({ postgres }: World): NonNullable<World["postgres"]> => {
  if (!postgres) throw new Error("this fault needs PostgreSQL");
  return postgres;
};

const LIST_BACKENDS = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const signalBackends = (pids: readonly number[], signal: "SIGSTOP" | "SIGCONT"): void => {
  for (const pid of pids) {
    // A server on another machine has other processes with these ids.
    if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() !== "postgres") {
      throw new Error(
        `the process ${pid} is not PostgreSQL's: its server must run on this machine`,
      );
    }
    process.kill(pid, signal);
  }
};

const SERVER_FAULTS = {
  /** The server dies. */
  kill: async ({ server }) => {
    await server.kill();
    await server.database.expireLeases();
    await server.start();
  },
  /** The server is restarted, as by a deployment. */
  restart: async ({ server }) => {
    await server.stop();
    await server.start();
  },
  /** The server does not run for so long that its leases expire, and then goes on. */
  freeze: async (world) => {
    world.server.signal("SIGSTOP");
    await lastFor(world);
    await world.server.database.expireLeases();
    world.server.signal("SIGCONT");
  },
  /** The provider fails in all the ways of provider/misbehavior.ts. */
  provider: async (world) => {
    world.provider.misbehave();
    await lastFor(world);
    world.provider.recover();
  },
} satisfies Record<string, Strike>;

const POSTGRES_FAULTS = {
  /** All connections to the database break; new ones work at once. */
  cut: (world) => Promise.resolve(getPostgres(world).proxy.cut()),
  /** The database cannot be reached for a time. */
  outage: async (world) => {
    const { proxy } = getPostgres(world);
    proxy.refuse();
    await lastFor(world);
    proxy.restore();
  },
  /** The connections pass nothing on any more but stay open. */
  "half-open": (world) => Promise.resolve(getPostgres(world).proxy.silence()),
  /** The database's processes do not run for a time. */
  stopped: async (world) => {
    const { url } = getPostgres(world);
    const pids = (await runSql<{ pid: number }>(url, LIST_BACKENDS)).map(({ pid }) => pid);
    try {
      signalBackends(pids, "SIGSTOP");
      await lastFor(world);
    } finally {
      signalBackends(pids, "SIGCONT");
    }
  },
  /** The database accepts only reads for a time, and in all sessions that were opened meanwhile. */
  "read-only": async (world) => {
    const { url, proxy } = getPostgres(world);
    const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
    await runSql(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    proxy.cut();
    await lastFor(world);
    const sql = `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`;
    await runSql(url, sql);
  },
} satisfies Record<string, Strike>;

export const FAULTS: Record<FaultName, Strike> = { ...SERVER_FAULTS, ...POSTGRES_FAULTS };
export type FaultName = keyof typeof SERVER_FAULTS | keyof typeof POSTGRES_FAULTS;

/** @returns the faults that exist with a database. */
export const listFaults = (database: "embedded" | "postgres"): FaultName[] =>
  Object.keys(database === "postgres" ? FAULTS : SERVER_FAULTS) as FaultName[];
