import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type {
  SqlDriverAdapter,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from "@prisma/driver-adapter-utils";
import pg from "pg";
import type { PrismaModels } from "./database";
import { wrapFailure } from "./database-failure";
import { PrismaClient } from "@/server/db/generated/client";
import { type GuardedCalls, IN_TRANSACTION, toTraits } from "./guarded-calls";
import { encodeQueries } from "./prisma-encoding";

/** For the transactions that Prisma makes by itself: on the embedded database all queue for one connection. */
const OWN_TRANSACTION_MS = 15_000;
/** The longest possible timer, because only the body decides how long a transaction lasts. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** More than our queries need; each prepared statement costs the server memory on every connection. */
const MAX_PREPARED = 500;
/** A statement with more values contains a list, and its text differs for each length of the list. */
const MAX_PREPARED_VALUES = 40;

type RunQuery = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Prisma on the connection of a transaction. */
export type PrismaScope = {
  models: Promise<PrismaModels>;
  /** Makes `models` unusable. The transaction itself is committed or rolled back by its owner. */
  end: () => void;
};

/** Prisma Client over a pool that is opened by the first query. */
export const createPrismaClient = (openPool: () => Promise<pg.Pool>, calls: GuardedCalls) => {
  const statementNames = createStatementNames();
  const scopeConnection = new AsyncLocalStorage<pg.PoolClient>();

  const connect = async (): Promise<SqlDriverAdapter> => {
    // Its pool stays empty. A rejection of this function would be wrapped, so no connection is opened here.
    const bare = await new PrismaPg(new pg.Pool(), {
      statementNameGenerator: statementNames,
    }).connect();
    // The adapter sends its queries to the `query` of its field `client`.
    const adapterOn = (run: RunQuery): SqlDriverAdapter => {
      const query: RunQuery = (config) => run(config).catch(wrapFailure);
      return encodeQueries(
        Object.create(bare, { client: { value: { query } } }) as SqlDriverAdapter,
      );
    };
    const adapterIn = (connection: pg.PoolClient): SqlDriverAdapter =>
      adapterOn((config) => calls.run(IN_TRANSACTION, () => connection.query(config)));
    const startTransaction = async (): Promise<Transaction> => {
      const joined = scopeConnection.getStore();
      if (joined) return toTransaction(adapterIn(joined), undefined);
      const connection = await calls.begin(openPool).catch(wrapFailure);
      return toTransaction(adapterIn(connection), () => {
        connection.release();
      });
    };
    const onPool = adapterOn((config) =>
      calls.run(toTraits(config.text), async () => (await openPool()).query(config)),
    );
    return Object.assign(onPool, { startTransaction });
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
      running.catch(started.reject);
      return {
        models: started.promise,
        // Do not await it: Prisma can wait forever for a reply at its own shutdown, and it sends nothing then.
        end: () => ended.resolve(undefined),
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

/**
 * A transaction on a connection.
 *
 * @param release undefined when the caller has begun it and will end it: Prisma sends no COMMIT and no
 *   ROLLBACK of its own then.
 */
const toTransaction = (queryable: SqlQueryable, release: (() => void) | undefined): Transaction => {
  const end = (): Promise<void> => Promise.resolve(release?.());
  return {
    provider: queryable.provider,
    adapterName: queryable.adapterName,
    options: { usePhantomQuery: release === undefined },
    queryRaw: (query) => queryable.queryRaw(query),
    executeRaw: (query) => queryable.executeRaw(query),
    commit: end,
    rollback: end,
  };
};
