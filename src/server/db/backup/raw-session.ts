import type pg from "pg";

/** One session of a database, whose values are the texts that PostgreSQL writes and reads. */
export type RawSession = {
  query: (text: string, values?: unknown[]) => Promise<RawRow[]>;
  /** The same with values as the driver reads them, by the names of the columns. */
  read: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Runs any number of statements without values. */
  exec: (text: string) => Promise<unknown>;
};

export type RawRow = (string | null)[];

const RAW: pg.CustomTypesConfig = { getTypeParser: () => (text: unknown) => text };

/** Texts mean the same whatever the server, its role and its database are set to; a backup takes as long as it takes. */
const SETTINGS = `
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

export const createRawSession = async (client: pg.ClientBase): Promise<RawSession> => {
  await client.query(SETTINGS);
  return {
    query: async (text, values = []) =>
      (await client.query<RawRow>({ text, values, rowMode: "array", types: RAW })).rows,
    read: async (text, values = []) =>
      (await client.query<Record<string, unknown>>(text, values)).rows,
    exec: (text) => client.query(text),
  };
};
