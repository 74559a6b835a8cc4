import type pg from "pg";
import type { EndedCalls, PrismaModels, Queryable, Transaction } from "./database";
import { unwrapFailure } from "./database-failure";
import { encodeValue } from "./nul";
import type { PrismaScope } from "./prisma-client";

/**
 * Creates the handle of a transaction that is open on a connection.
 *
 * @param openPrisma lets Prisma join. Called at its first use, because joining costs as much as a statement.
 */
export const createTransaction = (connection: pg.PoolClient, openPrisma: () => PrismaScope) => {
  let isOpen = true;
  let prisma: PrismaScope | undefined;
  const ended: EndedCalls[] = [];
  const notices: string[] = [];

  const requireOpen = (): void => {
    if (!isOpen) throw new Error("the transaction has ended");
  };

  const tx: Transaction = {
    prisma: createLazyModels(() => {
      requireOpen();
      return (prisma ??= openPrisma()).models;
    }),
    query: async <Row>(...[statement, values]: Parameters<Queryable["query"]>) => {
      requireOpen();
      const bound = { ...statement, values: values.map(encodeValue) };
      const { rows } = await connection.query(bound);
      if (statement.announces) notices.push(...listNotices(rows));
      return rows as Row[];
    },
    reportEnded: (calls) => {
      ended.push(calls);
    },
  };

  return {
    tx,
    /** The calls to report after the commit. */
    ended,
    /** The notices to publish after the commit. */
    notices,
    isOpen: (): boolean => isOpen,
    /** Makes the handle unusable. */
    end: (): void => {
      isOpen = false;
      prisma?.end();
    },
  };
};

/** The notices of the rows of a statement that announces its changes. */
export const listNotices = (rows: readonly { notice?: string | null }[]): string[] =>
  rows.flatMap(({ notice }) => notice ?? []);

type Operations = Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>;

/** Models whose operations wait for the client that runs them; each returns a plain promise. */
const createLazyModels = (load: () => Promise<PrismaModels>): PrismaModels =>
  new Proxy({} as PrismaModels, {
    get: (_models, model) =>
      new Proxy(
        {},
        {
          get:
            (_operations, operation) =>
            async (...args: unknown[]) => {
              const models = (await load()) as unknown as Record<PropertyKey, Operations>;
              return models[model]?.[operation]?.(...args).catch(unwrapFailure);
            },
        },
      ),
  });
