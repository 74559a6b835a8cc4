import pg from "pg";
import type { RawRow, RawSession } from "./raw-session";
import type { Table } from "./tables";

/** A row of bytes has up to 256 KB, which are twice as many digits; other rows have rarely more than some KB. */
const ROWS_PER_FETCH = 64;
const ROWS_OF_BYTES = 8;
/** Rows are passed on when they have as many characters. */
const PIECE_LENGTH = 1024 * 1024;

/** Reads a table in the snapshot of an open transaction, a few rows at a time. */
export async function* readRows(session: RawSession, table: Table): AsyncGenerator<RawRow[]> {
  const columns = table.columns.map(({ name }) => pg.escapeIdentifier(name)).join(", ");
  const name = pg.escapeIdentifier(table.name);
  const hasBytes = table.columns.some(({ type }) => type === "bytea");
  await session.exec(`DECLARE backup NO SCROLL CURSOR FOR SELECT ${columns} FROM ONLY ${name}`);
  let rows: RawRow[] = [];
  let length = 0;
  for (;;) {
    const fetched = await session.query(
      `FETCH ${hasBytes ? ROWS_OF_BYTES : ROWS_PER_FETCH} FROM backup`,
    );
    if (fetched.length === 0) break;
    for (const row of fetched) {
      rows.push(row);
      length += row.reduce((sum, text) => sum + (text?.length ?? 0), 0);
      if (length < PIECE_LENGTH) continue;
      yield rows;
      rows = [];
      length = 0;
    }
  }
  if (rows.length > 0) yield rows;
  await session.exec("CLOSE backup");
}
