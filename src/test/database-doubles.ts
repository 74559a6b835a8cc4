import type { Database, PrismaModels, Queryable } from "@/server/db/connection/database";

type Operation = (...args: never[]) => Promise<unknown>;

/** Replaces operations of Prisma's models, to count them or to make them fail. */
export const replaceModels = (
  db: Database,
  replaced: Partial<Record<keyof PrismaModels, Record<string, Operation>>>,
): Database => ({
  ...db,
  prisma: new Proxy(db.prisma, {
    get: (models, name) => {
      const operations = Reflect.get(models, name) as object;
      const replacement = replaced[name as keyof PrismaModels];
      if (!replacement) return operations;
      return new Proxy(operations, {
        get: (target, operation) =>
          replacement[String(operation)] ?? (Reflect.get(target, operation) as unknown),
      });
    },
  }),
});

/** Creates a database whose every operation fails, as when its server is unreachable. */
export const createUnreachableDatabase = (db: Database, message: string): Database => {
  const fail = (): Promise<never> => Promise.reject(new Error(message));
  const operations = new Proxy({}, { get: () => fail });
  return {
    ...db,
    query: fail,
    transaction: fail,
    prisma: new Proxy({} as PrismaModels, { get: () => operations }),
  };
};

/**
 * Creates a database that records what runs on it: the names of raw statements, and the operations of Prisma's models,
 * which are one or more statements each.
 */
export const recordStatements = (db: Database): { db: Database; statements: string[] } => {
  const statements: string[] = [];
  const record = <Source extends Queryable>(source: Source): Source => ({
    ...source,
    query: (...[statement, values]: Parameters<Queryable["query"]>) => {
      statements.push(statement.name);
      return source.query(statement, values);
    },
    prisma: new Proxy(source.prisma, {
      get: (models, model) =>
        new Proxy(Reflect.get(models, model) as object, {
          get: (target, operation): unknown => {
            statements.push(`${String(model)}.${String(operation)}`);
            return Reflect.get(target, operation);
          },
        }),
    }),
  });
  const transaction: Database["transaction"] = (body) => db.transaction((tx) => body(record(tx)));
  return { db: { ...record(db), transaction }, statements };
};

/**
 * Creates a database that does something else than to send the raw statements whose names begin so.
 *
 * @param intercept `send` sends the statement after all.
 */
export const interceptStatements = (
  db: Database,
  name: string,
  intercept: (send: () => Promise<unknown[]>) => Promise<unknown[]>,
): Database => ({
  ...db,
  query: <Row>(...[statement, values]: Parameters<Database["query"]>) =>
    statement.name.startsWith(name)
      ? (intercept(() => db.query(statement, values)) as Promise<Row[]>)
      : db.query<Row>(statement, values),
});
