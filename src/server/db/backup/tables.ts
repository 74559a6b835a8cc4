import type { RawSession } from "./raw-session";

/** A table whose rows a backup has. */
export type Table = { name: string; columns: readonly { name: string; type: string }[] };

/**
 * Tables whose rows mean something only to the processes and the server that wrote them: live deltas, heartbeats of
 * workers, and events by the number of their transaction, whose readers get a `reset` (ADR 0150).
 */
const LEFT_OUT_TABLES: readonly string[] = [
  "preview_chunk",
  "worker",
  "event",
  "event_reader",
  // Written by the migrations of the restored database.
  "_prisma_migrations",
];

const COLUMNS = `SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod)
  FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
  WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND t.relname <> ALL ($1)
  ORDER BY t.relname, a.attnum`;

/** Lists the tables of a database, without those that no backup has. */
export const listTables = async (session: RawSession): Promise<Table[]> => {
  const tables = new Map<string, { name: string; type: string }[]>();
  for (const [table = "", name, type] of (await session.query(COLUMNS, [
    LEFT_OUT_TABLES,
  ])) as string[][]) {
    const columns = tables.get(table) ?? [];
    tables.set(table, [...columns, { name: name ?? "", type: type ?? "" }]);
  }
  return [...tables].map(([name, columns]) => ({ name, columns }));
};

const SEQUENCES = `SELECT sequencename, last_value FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`;

/** Reads the last numbers of sequences, which may be newer than a snapshot. */
export const readSequences = async (session: RawSession): Promise<Record<string, string>> =>
  Object.fromEntries((await session.query(SEQUENCES)) as [string, string][]);

const MIGRATIONS = `SELECT migration_name, checksum FROM "_prisma_migrations"
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`;

/** @returns the checksums of the migrations that a database has, by their names. */
export const readMigrations = async (session: RawSession): Promise<Record<string, string>> =>
  Object.fromEntries((await session.query(MIGRATIONS)) as [string, string][]);
