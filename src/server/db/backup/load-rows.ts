import pg from "pg";
import type { RawRow, RawSession } from "./raw-session";
import type { Table } from "./tables";

/** Inserts rows as they were read, whatever their columns are by default. */
export const insertRows = async (
  session: RawSession,
  { name, columns }: Table,
  rows: readonly RawRow[],
): Promise<void> => {
  const names = columns.map((column) => pg.escapeIdentifier(column.name)).join(", ");
  const values = columns.map(({ type }, index) => `c${index}::${type}`).join(", ");
  const parameters = columns.map((_column, index) => `$${index + 1}::text[]`).join(", ");
  const aliases = columns.map((_column, index) => `c${index}`).join(", ");
  await session.query(
    `INSERT INTO ${pg.escapeIdentifier(name)} (${names}) OVERRIDING SYSTEM VALUE
      SELECT ${values} FROM unnest(${parameters}) AS row (${aliases})`,
    columns.map((_column, index) => rows.map((row) => row[index] ?? null)),
  );
};

/** Foreign keys, and indexes that are no constraints. */
const REMOVABLE = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  UNION ALL
  SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE relnamespace = current_schema()::regnamespace AND NOT EXISTS (
    SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

/**
 * Removes foreign keys and indexes, so that rows can be inserted in any order and faster.
 *
 * @returns adds them again, which checks the rows.
 */
export const removeConstraints = async (session: RawSession): Promise<() => Promise<void>> => {
  const found = (await session.query(REMOVABLE)) as [string, string][];
  for (const [removal] of found) await session.exec(removal);
  return async () => {
    // Backwards: foreign keys are checked by the indexes.
    for (const [, addition] of found.reverse()) await session.exec(addition);
  };
};

/** Sets sequences to the last numbers that they have given. */
export const setSequences = async (
  session: RawSession,
  sequences: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const [name, last] of Object.entries(sequences))
    await session.query("SELECT setval($1::regclass, $2::bigint)", [
      pg.escapeIdentifier(name),
      last,
    ]);
};
