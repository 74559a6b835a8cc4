import type { Database } from "./database";

/** Creates one thing per database, such as a cache of what it holds. */
export const perDatabase = <Thing>(create: (db: Database) => Thing) => {
  const things = new WeakMap<Database, Thing>();
  return (db: Database): Thing => {
    const known = things.get(db);
    if (known) return known;
    const thing = create(db);
    things.set(db, thing);
    return thing;
  };
};
