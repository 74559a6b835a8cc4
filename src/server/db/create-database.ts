import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import type { Database, Queryable, Statement } from "./database";
import { PrismaClient } from "./generated/client";
import { encodeValue } from "./nul";

/** Where the connections come from. Nothing is opened before the first call. */
export type ConnectionSource = {
  pool: () => Promise<pg.Pool>;
  /** Runs a statement that is a transaction of its own. */
  query: (statement: BoundStatement) => Promise<pg.QueryResult>;
  listen: Database["listen"];
  close: () => Promise<void>;
};

/** A statement with its values. */
export type BoundStatement = Statement & { values: unknown[] };

/** How long Prisma waits for a connection, and lets a transaction last: everything may queue for one. */
const PRISMA_TRANSACTION_MS = 15_000;

/** The database over a pool that is opened when it is first used. */
export const createDatabase = (source: ConnectionSource): Database => {
  // A query beside its own transaction would wait forever where there is one connection only.
  const inTransaction = new AsyncLocalStorage<{ open: boolean } | undefined>();
  let prisma: PrismaClient | undefined;

  const requireOutside = (): void => {
    if (inTransaction.getStore()?.open) {
      throw new Error("inside a transaction only its own `tx` may be used");
    }
  };

  return {
    get prisma() {
      return (prisma ??= createPrisma(source.pool));
    },
    query: async <Row>(...[statement, values]: Parameters<Queryable["query"]>) => {
      requireOutside();
      return (await source.query({ ...statement, values: values.map(encodeValue) })).rows as Row[];
    },
    transaction: async (body) => {
      requireOutside();
      const client = await (await source.pool()).connect();
      const scope = { open: true };
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const result = await inTransaction.run(scope, () => body(transactionOn(client, scope)));
        const { command } = await client.query("COMMIT");
        // After a failed statement, COMMIT rolls back and says so only in its tag.
        if (command !== "COMMIT") throw new Error("a statement of the transaction had failed");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        scope.open = false;
        client.release(broken);
      }
    },
    // The embedded database tells in the middle of whatever statement it is running.
    listen: (channel, listener) =>
      source.listen(channel, (payload) => inTransaction.run(undefined, listener, payload)),
    close: async () => {
      await prisma?.$disconnect();
      await source.close();
    },
  };
};

const transactionOn = (client: pg.PoolClient, scope: { open: boolean }): Queryable => ({
  query: async <Row>(...[statement, values]: Parameters<Queryable["query"]>) => {
    if (!scope.open) throw new Error("the transaction has ended");
    return (await client.query({ ...statement, values: values.map(encodeValue) })).rows as Row[];
  },
});

const createPrisma = (pool: () => Promise<pg.Pool>): PrismaClient =>
  new PrismaClient({
    adapter: {
      provider: "postgres",
      adapterName: "@prisma/adapter-pg",
      connect: async () => new PrismaPg(await pool()).connect(),
    },
    transactionOptions: { maxWait: PRISMA_TRANSACTION_MS, timeout: PRISMA_TRANSACTION_MS },
  });
