import type { PrismaClient } from "./generated/client";

/**
 * One SQL statement with its text fixed at compile time, so that the server may
 * prepare it once; `name` is unique in the program.
 */
export type Statement = { name: string; text: string };

/** Runs statements; values are bound as `$1`, `$2`, …, objects as JSON. */
export type Queryable = {
  /** @throws {Error} when the database refuses or is gone; nothing was written then. */
  query: <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;
};

/** The database, PostgreSQL or embedded; nothing outside this room asks which. */
export type Database = Queryable & {
  prisma: PrismaClient;
  /** Commits when the body resolves, rolls back when it rejects. Never await anything but `tx` inside. */
  transaction: <Result>(body: (tx: Queryable) => Promise<Result>) => Promise<Result>;
  /**
   * Calls the listener with each payload of the channel that is committed from now on, and with
   * "" after a gap (a lost connection): something may have changed then.
   *
   * @returns ends the listening.
   */
  listen: (channel: string, listener: (payload: string) => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
};
