import type { Database } from "./database";

const KEY = Symbol.for("parley.database");
const holder = globalThis as { [KEY]?: Database };

/** @returns the database of the process, opened by the first call that passes `open`. */
export const processDatabase = (open: () => Database): Database => (holder[KEY] ??= open());

/** For programs that do not open the database; true before another one has opened it. */
export const isDatabaseReachable = (): boolean => holder[KEY]?.status().isReachable ?? true;
