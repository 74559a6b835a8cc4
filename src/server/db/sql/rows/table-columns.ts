/** A column as raw statements use it: its key in the row, its name in SQL, its SQL type. */
export type Column<Key extends string = string> = { key: Key; name: string; type: string };

/**
 * Creates the columns of a table from one list, `{ key: SQL type }`. With `satisfies Record<keyof …, string>` and
 * Prisma's type of the row, a list that lacks a column of the schema does not compile.
 */
export const toColumns = <Key extends string>(types: Record<Key, string>): Column<Key>[] =>
  (Object.keys(types) as Key[]).map((key) => ({ key, name: toSqlName(key), type: types[key] }));

/** The columns' names for a SELECT or an INSERT. */
export const columnNames = (columns: readonly Column[], prefix = ""): string =>
  columns.map(({ name }) => `${prefix}${name}`).join(", ");

/** The record that `json_to_recordset` reads, for `AS x(…)`. */
export const recordType = (columns: readonly Column[]): string =>
  `(${columns.map(({ name, type }) => `${name} ${type}`).join(", ")})`;

/**
 * Returns how rows are inserted into a table: from the SQL of their columns, of which those that are left out take their
 * defaults, and from what these select.
 */
export const createInsert =
  <Key extends string>(table: string, columns: readonly Column<Key>[]) =>
  (values: Partial<Record<Key, string>>, source = ""): string => {
    const given = columns.filter(({ key }) => values[key] !== undefined);
    const list = given.map(({ key }) => values[key]).join(", ");
    return `INSERT INTO ${table} (${columnNames(given)}) SELECT ${list} ${source}`;
  };

/** SQL of now, less some milliseconds: rows of one transaction that have an order differ in their times. */
export const beforeNow = (milliseconds: string): string =>
  `now() - ${milliseconds}::int * interval '1 ms'`;

/** A row as a record of `recordType`; bind the list with `toJsonText`. */
export const toRecord = (
  fields: Record<string, unknown>,
  columns: readonly Column[],
): Record<string, unknown> => {
  const record: Record<string, unknown> = {};
  // Few columns have a value, and what is missing is NULL.
  for (const { key, name } of columns) {
    const value = fields[key];
    if (value !== undefined && value !== null) record[name] = value;
  }
  return record;
};

/** Reads one column of a record. */
export const readColumn = ({ name, type }: Column, record: Record<string, unknown>): unknown => {
  const value = record[name];
  // A time is text inside a JSON aggregate, and a Date in a column.
  return type === "timestamptz" && typeof value === "string" ? new Date(value) : value;
};

/** Returns how records with these columns become rows with their keys. */
export const createRowReader = <Row extends object>(columns: readonly Column[]) => {
  const plain = columns.filter(({ type }) => type !== "timestamptz");
  const times = columns.filter(({ type }) => type === "timestamptz");
  return (record: object): Row => {
    const values = record as Record<string, unknown>;
    const row: Record<string, unknown> = {};
    for (const { key, name } of plain) row[key] = values[name];
    for (const column of times) row[column.key] = readColumn(column, values);
    return row as Row;
  };
};

const toSqlName = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
