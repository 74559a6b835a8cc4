import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type {
  SqlDriverAdapter,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from "@prisma/driver-adapter-utils";
import type pg from "pg";
import type { PrismaModels } from "./database";
import { PrismaClient } from "./generated/client";
import { encodeQueries } from "./prisma-encoding";

/** For the transactions that Prisma makes by itself: on the embedded database all queue for one connection. */
const OWN_TRANSACTION_MS = 15_000;
/** The longest possible timer, because only the body decides how long a transaction lasts. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** More than our queries need; each prepared statement costs the server memory on every connection. */
const MAX_PREPARED = 500;
/** A statement with more values contains a list, and its text differs for each length of the list. */
const MAX_PREPARED_VALUES = 40;

/** Prisma on the connection of a transaction. */
export type PrismaScope = {
  models: Promise<PrismaModels>;
  /** Makes `models` unusable. The transaction itself is committed or rolled back by its owner. */
  end: () => Promise<void>;
};

/** Prisma Client over a pool that is opened by the first query. */
export const createPrismaClient = (openPool: () => Promise<pg.Pool>) => {
  const statementNames = createStatementNames();
  const scopeConnection = new AsyncLocalStorage<pg.PoolClient>();

  const connect = async (): Promise<SqlDriverAdapter> => {
    const pool = await openPool();
    const bare = await new PrismaPg(pool, { statementNameGenerator: statementNames }).connect();
    // The adapter sends its queries to its field `client`, which may be a pool or one connection.
    const adapterOn = (target: pg.Pool | pg.PoolClient): SqlDriverAdapter =>
      encodeQueries(Object.create(bare, { client: { value: target } }) as SqlDriverAdapter);
    return Object.assign(adapterOn(pool), {
      startTransaction: async (...args: Parameters<SqlDriverAdapter["startTransaction"]>) => {
        const connection = scopeConnection.getStore();
        return connection
          ? joinTransaction(adapterOn(connection))
          : encodeQueries(await bare.startTransaction(...args));
      },
    });
  };

  const client = new PrismaClient({
    adapter: { provider: "postgres", adapterName: "@prisma/adapter-pg", connect },
    transactionOptions: { maxWait: OWN_TRANSACTION_MS, timeout: OWN_TRANSACTION_MS },
  });

  return {
    models: client as PrismaModels,
    /** Lets Prisma take part in the transaction that is open on a connection. */
    openScope: (connection: pg.PoolClient): PrismaScope => {
      const started = Promise.withResolvers<PrismaModels>();
      const ended = Promise.withResolvers<undefined>();
      const running = scopeConnection.run(connection, () =>
        client.$transaction(
          async (models) => {
            started.resolve(models);
            await ended.promise;
          },
          { timeout: NO_TIMEOUT_MS },
        ),
      );
      const closed = running.catch(started.reject);
      return {
        models: started.promise,
        end: async () => {
          ended.resolve(undefined);
          await closed;
        },
      };
    },
    close: () => client.$disconnect(),
  };
};

/** Names Prisma's statements, so that a connection parses and plans each of them once. */
const createStatementNames = () => {
  const names = new Map<string, string>();
  return ({ sql, args }: SqlQuery): string => {
    const known = names.get(sql);
    const isLeftOut = args.length === 0 || args.length > MAX_PREPARED_VALUES;
    // No name: the statement is not prepared.
    if (known !== undefined || isLeftOut || names.size >= MAX_PREPARED) return known ?? "";
    const name = `prisma-${names.size}`;
    names.set(sql, name);
    return name;
  };
};

/** A transaction that the caller has begun on the connection and will end. */
const joinTransaction = (queryable: SqlQueryable): Transaction => ({
  provider: queryable.provider,
  adapterName: queryable.adapterName,
  // Prisma sends no COMMIT and no ROLLBACK of its own then.
  options: { usePhantomQuery: true },
  queryRaw: (query) => queryable.queryRaw(query),
  executeRaw: (query) => queryable.executeRaw(query),
  commit: () => Promise.resolve(),
  rollback: () => Promise.resolve(),
});
