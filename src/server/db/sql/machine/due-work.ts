import type { Queryable, Statement } from "@/server/db/connection/database";
import { IS_AT_WORK } from "@/server/db/sql/rows/chat-row";
import { OPEN_TASK } from "@/server/db/sql/rows/task-columns";
import { IS_IMPORT_WAITING } from "@/server/db/sql/writes/import-leases";
import { FROM_EXPIRED_CLAIMS } from "./call-claims";
import { IS_FREE } from "./claim";
import { HAS_EXPIRED_ACTION } from "./expired-actions";
import { HAS_RESTING_REPORTS } from "./resting-chats";

/** What waits for a worker, each kind by whether there is any. Another process may take it first. */
export type DueWork = {
  /** Chats without a worker. */
  turns: boolean;
  /** Calls and agents whose deadline has passed. */
  deadlines: boolean;
  /** Calls whose claim has run out. */
  claims: boolean;
  imports: boolean;
  /** Tasks that have not ended: the worker of some may be gone, and agents may have nothing to do. */
  tasks: boolean;
  /** Chats that rest with reports. */
  reports: boolean;
  /** Texts that the search does not find yet. */
  texts: boolean;
};

export const NOTHING: Readonly<DueWork> = {
  turns: false,
  deadlines: false,
  claims: false,
  imports: false,
  tasks: false,
  reports: false,
  texts: false,
};

/** Raw, because what is due is so by the clock of the database. */
const FIND: Statement = {
  name: "find-due-work",
  text: `SELECT EXISTS (SELECT FROM chat WHERE ${IS_AT_WORK} AND ${IS_FREE}) AS turns,
    EXISTS (SELECT FROM chat WHERE ${HAS_EXPIRED_ACTION}) AS deadlines,
    EXISTS (SELECT ${FROM_EXPIRED_CLAIMS}) AS claims,
    EXISTS (SELECT FROM import WHERE ${IS_IMPORT_WAITING}) AS imports,
    EXISTS (SELECT FROM task WHERE ${OPEN_TASK}) AS tasks,
    EXISTS (SELECT FROM chat WHERE ${HAS_RESTING_REPORTS}) AS reports,
    EXISTS (SELECT FROM part WHERE NOT is_indexed) AS texts`,
};

/** Finds all kinds of work by one statement, as each process asks every second. */
export const findDueWork = async (db: Queryable): Promise<DueWork> => {
  const [found = NOTHING] = await db.query<DueWork>(FIND, []);
  return found;
};
