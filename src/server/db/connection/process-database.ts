import { shareInProcess } from "@/server/share-in-process";
import type { Database } from "./database";

const opened = shareInProcess<{ db?: Database }>("database", () => ({}));

/** @returns the database of the process, opened by the first call that passes `open`. */
export const processDatabase = (open: () => Database): Database => (opened.db ??= open());

/** True once a call could not read its data: then that is what pages fail for. */
export const isDatabaseDamaged = (): boolean => opened.db?.status().isDamaged ?? false;

/** For programs that do not open the database; true before another one has opened it. */
export const isDatabaseReachable = (): boolean => opened.db?.status().isReachable ?? true;
