import type { Database, PrismaModels } from "@/server/db/database";

type Operation = (...args: never[]) => Promise<unknown>;

/** The database with some operations of Prisma's models replaced, to count or to fail them. */
export const withModels = (
  db: Database,
  replaced: Partial<Record<keyof PrismaModels, Record<string, Operation>>>,
): Database => ({
  ...db,
  prisma: new Proxy(db.prisma, {
    get: (models, name) => {
      const operations = Reflect.get(models, name) as object;
      const own = replaced[name as keyof PrismaModels];
      if (!own) return operations;
      return new Proxy(operations, {
        get: (target, operation) =>
          own[String(operation)] ?? (Reflect.get(target, operation) as unknown),
      });
    },
  }),
});

/** The database after its server has gone: whatever is asked of it fails. */
export const unreachable = (db: Database, message: string): Database => {
  const fail = (): Promise<never> => Promise.reject(new Error(message));
  const operations = new Proxy({}, { get: () => fail });
  return {
    ...db,
    query: fail,
    transaction: fail,
    prisma: new Proxy({} as PrismaModels, { get: () => operations }),
  };
};
