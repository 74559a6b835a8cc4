import type pg from "pg";

/**
 * Limits how long a transaction may be open without a running statement.
 *
 * @param maxMs undefined if the database itself limits it.
 * @returns the connection to use, and `exceeded`, which rejects when the limit is reached; `end` stops watching.
 */
export const limitIdleness = (client: pg.PoolClient, maxMs: number | undefined) => {
  const { promise: exceeded, reject } = Promise.withResolvers<never>();
  if (maxMs === undefined) return { connection: client, exceeded, end: (): void => undefined };
  // Nothing awaits it once the transaction has ended.
  exceeded.catch(() => undefined);
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    timer = setTimeout(() => {
      reject(new Error(`a transaction sent no statement for ${maxMs / 1_000} s, and was undone`));
    }, maxMs);
  };
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    clearTimeout(timer);
    running += 1;
    try {
      return await client.query(config);
    } finally {
      running -= 1;
      if (running === 0) watch();
    }
  };
  watch();
  return {
    connection: Object.create(client, { query: { value: query } }) as pg.PoolClient,
    exceeded,
    end: (): void => clearTimeout(timer),
  };
};
