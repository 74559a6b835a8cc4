import pg from "pg";

/** Runs a statement on a connection of its own. */
export const runSql = async <Row extends pg.QueryResultRow>(
  connectionString: string,
  sql: string,
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};
