import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Database, PrismaModels, Queryable, Statement } from "./database";
import { encodeValue } from "./nul";
import { createPrismaClient } from "./prisma-client";
import { createTransaction } from "./transaction";

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

type PrismaHandle = ReturnType<typeof createPrismaClient>;

/** The database over a pool that is opened when it is first used. */
export const createDatabase = (source: ConnectionSource): Database => {
  // With only one connection, a query outside the caller's own transaction would wait for it forever.
  const inTransaction = new AsyncLocalStorage<{ isOpen: () => boolean } | undefined>();
  let prisma: PrismaHandle | undefined;

  const requireOutside = (): void => {
    if (inTransaction.getStore()?.isOpen()) {
      throw new Error("inside a transaction only its own `tx` may be used");
    }
  };
  const getPrisma = (): PrismaHandle => (prisma ??= createPrismaClient(source.pool));

  return {
    prisma: createGuardedModels(() => {
      requireOutside();
      return getPrisma().models;
    }),
    query: async <Row>(...[statement, values]: Parameters<Queryable["query"]>) => {
      requireOutside();
      return (await source.query({ ...statement, values: values.map(encodeValue) })).rows as Row[];
    },
    transaction: async (body) => {
      requireOutside();
      const client = await (await source.pool()).connect();
      const scope = createTransaction(client, () => getPrisma().openScope(client));
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const result = await inTransaction
          .run(scope, async () => body(scope.tx))
          .finally(scope.end);
        const { command } = await client.query("COMMIT");
        // After a failed statement, COMMIT rolls back and says so only in its tag.
        if (command !== "COMMIT") throw new Error("a statement of the transaction had failed");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        client.release(broken);
      }
    },
    // The embedded database may notify while a transaction runs, to which the listener does not belong.
    listen: (channel, listener) =>
      source.listen(channel, (payload) => inTransaction.run(undefined, listener, payload)),
    close: async () => {
      await prisma?.close();
      await source.close();
    },
  };
};

/** Models that call `load` on each access to an operation, because a library may keep a model for later. */
const createGuardedModels = (load: () => PrismaModels): PrismaModels =>
  new Proxy({} as PrismaModels, {
    get: (_models, model) => {
      const operations: unknown = Reflect.get(load(), model);
      if (typeof operations !== "object" || operations === null) return operations;
      return new Proxy(operations, {
        get: (target, operation) => {
          load();
          return Reflect.get(target, operation) as unknown;
        },
      });
    },
  });
