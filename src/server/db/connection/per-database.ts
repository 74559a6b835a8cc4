import type { Database } from "./database";

/**
 * One thing per database and process. It lives on `globalThis`, as routes and instrumentation
 * are bundled apart and each bundle has its own copy of every module.
 *
 * @param name unique in the program.
 */
export const perDatabase = <Thing>(name: string, create: (db: Database) => Thing) => {
  const registry = globalThis as unknown as Record<symbol, WeakMap<Database, Thing> | undefined>;
  const things = (registry[Symbol.for(`parley.${name}`)] ??= new WeakMap<Database, Thing>());
  return (db: Database): Thing => {
    const known = things.get(db);
    if (known) return known;
    const thing = create(db);
    things.set(db, thing);
    return thing;
  };
};
