import type pg from "pg";
import { log } from "@/server/log";
import { PLANNER_SETTINGS } from "./planner-settings";
import { findPoolMode, type PoolMode } from "./pool-mode";
import type { ServerConfig } from "./server-client.mjs";

/** Prisma reads times without their offset, so every connection has to be in UTC. */
const TIME_ZONE = { TimeZone: "UTC" };

type Timeouts = {
  lockTimeoutMs: number;
  statementTimeoutMs: number;
  idleInTransactionMs: number;
};

type Addresses = {
  config: ServerConfig;
  /** The address without a pooler, if one is set. */
  direct: ServerConfig | undefined;
};

type Client = Pick<pg.ClientBase, "query">;

/**
 * Prepares the sessions of a server: limits and settings of the planner by a statement, because poolers refuse them as
 * parameters of the start. A pooler in transaction mode keeps neither settings nor prepared statements: its
 * connections get only the time zone, which it keeps, and statements without names.
 */
export const createSessions = ({ config, direct }: Addresses, timeouts: Timeouts) => {
  const settings = {
    lock_timeout: String(timeouts.lockTimeoutMs),
    statement_timeout: String(timeouts.statementTimeoutMs),
    idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
    ...PLANNER_SETTINGS,
  };
  let mode: PoolMode | undefined;
  let hasWarned = false;

  return {
    /** Finds the mode of the pooler. Rejects when the addresses cannot be used, with a sentence. @returns whether it is another one than before. */
    findMode: async (): Promise<boolean> => {
      const before = mode;
      mode = await requireMode({ config, direct });
      return before !== undefined && mode !== before;
    },
    warn: async (client: Client): Promise<void> => {
      if (mode !== "transaction" || hasWarned) return;
      hasWarned = true;
      await warnOfLimits(client, settings);
    },
    /** Whether a pooler keeps the sessions, whose mode may change. */
    isKept: (): boolean => mode === "session",
    /** Of a connection of the pool. */
    prepare: async (client: Client): Promise<void> => {
      if (mode !== "transaction") return setAll(client, { ...TIME_ZONE, ...settings });
      await setAll(client, TIME_ZONE);
      dropNames(client);
    },
    /** Of a connection without a pooler, or whose pooler keeps sessions. */
    set: (client: Client): Promise<void> => setAll(client, { ...TIME_ZONE, ...settings }),
  };
};

/** @throws {Error} a sentence that says which variable to set. */
const requireMode = async ({ config, direct }: Addresses): Promise<PoolMode> => {
  const mode = await findPoolMode(config);
  if (mode === "statement") {
    throw new Error(
      "DATABASE_URL is the address of a pooler in statement mode, which allows no transactions: " +
        "set it to one in session or transaction mode, or to the server itself.",
    );
  }
  if (mode === "transaction" && !direct) {
    throw new Error(
      "DATABASE_URL is the address of a pooler in transaction mode, which delivers no notifications: " +
        "set DATABASE_DIRECT_URL to the address of the server itself, or DATABASE_URL to one that keeps sessions.",
    );
  }
  const modeOfDirect = direct && (await findPoolMode(direct));
  if (modeOfDirect === "transaction" || modeOfDirect === "statement") {
    throw new Error(
      "DATABASE_DIRECT_URL is the address of a pooler that keeps no sessions: set it to the address of the server itself.",
    );
  }
  return mode;
};

const setAll = async (client: Client, settings: Record<string, string>): Promise<void> => {
  const list = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  await client.query(`SELECT ${list.join(", ")}`);
};

/** A prepared statement would be in one session, and be missing or taken in the next. */
const dropNames = (client: Client): void => {
  const query = client.query.bind(client) as (config: unknown, ...rest: unknown[]) => unknown;
  const send = (config: unknown, ...rest: unknown[]): unknown =>
    typeof config === "object" && config !== null && "name" in config
      ? query({ ...config, name: undefined }, ...rest)
      : query(config, ...rest);
  client.query = send as typeof client.query;
};

const LACKING = `SELECT name FROM pg_settings JOIN unnest($1::text[], $2::text[]) AS wanted (name, value)
  USING (name) WHERE setting <> value ORDER BY name`;

/** What is lacking, the operator has to give the role. */
const warnOfLimits = async (client: Client, settings: Record<string, string>): Promise<void> => {
  const values = [Object.keys(settings), Object.values(settings)];
  const { rows } = await client.query<{ name: string }>(LACKING, values);
  if (rows.length === 0) return;
  const statements = rows.map(
    ({ name }) => `ALTER ROLE CURRENT_USER SET ${name} = '${settings[name] ?? ""}'`,
  );
  log().warn({ statements }, "the pooler keeps no limits of connections: give them to the role");
};
