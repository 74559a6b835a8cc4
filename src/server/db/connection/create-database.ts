import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { log } from "@/server/log";
import { type ChangeBus, createLocalBus } from "./change-bus";
import type {
  Database,
  EndedCalls,
  PrismaModels,
  Queryable,
  Statement,
  Transaction,
} from "./database";
import { DatabaseFailure, isOfCall, unwrapFailure } from "./database-failure";
import { createGuardedCalls, type FailureHandler, IN_TRANSACTION, toTraits } from "./guarded-calls";
import { limitIdleness } from "./idle-limit";
import { encodeValue } from "./nul";
import { createPrismaClient, type PrismaScope } from "./prisma-client";
import { createTransaction, listNotices } from "./transaction";

/** Where the connections come from. Nothing is opened before the first call. */
export type ConnectionSource = {
  /** For the log, without credentials. */
  name: string;
  /** A sentence for the operator of a database whose data is damaged. */
  repair?: string;
  pool: () => Promise<pg.Pool>;
  /** Runs a statement that is a transaction of its own. */
  query: (statement: BoundStatement) => Promise<pg.QueryResult>;
  listen: Database["listen"];
  /** By default that of a process that has the database for itself. */
  changes?: ChangeBus;
  /** Prepares for the next call after one has failed. */
  handleFailure?: FailureHandler;
  failure?: AbortSignal;
  /** How long a transaction may wait for something else than the database, unless that limits it. */
  idleInTransactionMs?: number;
  close: () => Promise<void>;
};

const NEVER = new AbortController().signal;

/** A statement with its values. */
export type BoundStatement = Statement & { values: unknown[] };

type PrismaHandle = ReturnType<typeof createPrismaClient>;

/** The database over a pool that is opened when it is first used. */
export const createDatabase = (source: ConnectionSource): Database => {
  // With only one connection, a query outside the caller's own transaction would wait for it forever.
  const inTransaction = new AsyncLocalStorage<{ isOpen: () => boolean } | undefined>();
  const calls = createGuardedCalls(source, (failure, startedAt) =>
    source.handleFailure?.(failure, startedAt),
  );
  let prisma: PrismaHandle | undefined;
  const ends = createEndedCalls();
  const changes = source.changes ?? createLocalBus();

  const requireOutside = (): void => {
    if (!inTransaction.getStore()?.isOpen()) return;
    const error = new Error("inside a transaction only its own `tx` may be used");
    // The caller may take it for an outage, which is survived.
    log().error({ err: error }, "a query would have waited for its own transaction");
    throw error;
  };
  const runSingle = createSingleRuns(source, { calls, changes });
  const runTransaction = createTransactionRuns(source, {
    calls,
    changes,
    openPrisma: (client) => getPrisma().openScope(client),
    within: (scope, body) => inTransaction.run(scope, body),
  });
  /** A listener that is called during a transaction is not part of it. */
  const outside = (listener: (payload: string) => void) => (payload: string) =>
    inTransaction.run(undefined, listener, payload);
  const getPrisma = (): PrismaHandle => (prisma ??= createPrismaClient(source.pool, calls));

  return {
    prisma: createGuardedModels(() => {
      requireOutside();
      return getPrisma().models;
    }),
    query: async <Row>(...[statement, values]: Parameters<Queryable["query"]>) => {
      requireOutside();
      const bound = { ...statement, values: values.map(encodeValue) };
      return (await runSingle(bound)).rows as Row[];
    },
    transaction: async (body) => {
      requireOutside();
      const { result, ended } = await runTransaction(body);
      for (const calls of ended) ends.report(calls);
      return result;
    },
    guardTransaction: (transaction, body) => inTransaction.run(transaction, body),
    changes: { subscribe: (listener) => changes.subscribe(outside(listener)) },
    listen: (channel, listener) => source.listen(channel, outside(listener)),
    reportEnded: ends.report,
    onCallsEnded: ends.subscribe,
    status: calls.status,
    failure: source.failure ?? NEVER,
    close: async () => {
      await prisma?.close();
      await source.close();
    },
  };
};

type TransactionDeps = SingleDeps & {
  openPrisma: (client: pg.PoolClient) => PrismaScope;
  within: Database["guardTransaction"];
};

/** Runs transactions, and publishes their notices. */
const createTransactionRuns =
  (source: ConnectionSource, { calls, changes, openPrisma, within }: TransactionDeps) =>
  async <Result>(body: (tx: Transaction) => Promise<Result>) => {
    const client = await calls.begin(source.pool);
    const idle = limitIdleness(client, source.idleInTransactionMs);
    const scope = createTransaction(idle.connection, () => openPrisma(idle.connection));
    let broken: Error | undefined;
    const run = async () => {
      const running = within(scope, async () => body(scope.tx));
      const value = await Promise.race([running, idle.exceeded]).finally(() => {
        scope.end();
        idle.end();
      });
      await commit(client);
      return value;
    };
    const result = await calls
      .run(IN_TRANSACTION, run)
      .catch(async (error: unknown) => {
        broken = await rollBack(client, error);
        throw error;
      })
      .finally(() => client.release(broken));
    // Behind the release: what a listener does changes nothing of the transaction.
    changes.publish(scope.notices);
    return { result, ended: scope.ended };
  };

type SingleDeps = { calls: ReturnType<typeof createGuardedCalls>; changes: ChangeBus };

/**
 * Runs statements that are transactions of their own, and publishes their notices. One whose answer was lost publishes
 * nothing: the polls of the listeners find what it has changed.
 */
const createSingleRuns =
  (source: ConnectionSource, { calls, changes }: SingleDeps) =>
  async (statement: BoundStatement): Promise<pg.QueryResult> => {
    const run = (isRepetition: boolean): Promise<pg.QueryResult> =>
      // The shared connection is being opened again.
      source.query(isRepetition ? { ...statement, usePool: true } : statement);
    const result = await calls.run(toTraits(statement.text, statement.isFenced), run);
    if (statement.announces) changes.publish(listNotices(result.rows));
    return result;
  };

/** The listeners for calls whose ends this process has committed. */
const createEndedCalls = (): {
  report: Database["reportEnded"];
  subscribe: Database["onCallsEnded"];
} => {
  const listeners = new Set<(ended: EndedCalls) => void>();
  return {
    report: (ended) => {
      if (ended.calls.length === 0) return;
      for (const listener of listeners) listener(ended);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

const commit = async (client: pg.PoolClient): Promise<void> => {
  const { command } = await client.query("COMMIT");
  // After a failed statement, COMMIT rolls back and says so only in its tag.
  if (command !== "COMMIT") throw new Error("a statement of the transaction had failed");
};

/** @returns why the connection cannot be used any more. */
const rollBack = async (client: pg.PoolClient, error: unknown): Promise<Error | undefined> => {
  // A lost connection would not answer, and one to a read-only server stays read-only.
  if (error instanceof DatabaseFailure && !isOfCall(error)) return error;
  try {
    await client.query("ROLLBACK");
    return undefined;
  } catch (failure) {
    return failure as Error;
  }
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
          const run: unknown = Reflect.get(target, operation);
          if (typeof run !== "function") return run;
          return (...args: unknown[]) =>
            (Reflect.apply(run, target, args) as Promise<unknown>).catch(unwrapFailure);
        },
      });
    },
  });
