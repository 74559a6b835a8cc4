import type { Queryable } from "@/server/db/connection/database";
import type { TaskRow } from "@/server/db/chats/rows";
import { isGone } from "./claim";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { OPEN_TASK } from "@/server/db/sql/rows/task-columns";

type Values = {
  /** The worker that asks, whose own tasks are left out. */
  owner: string;
  limit: number;
};

/** Raw, because a worker counts as gone by the clock of the database. Tasks of agents have no owner, and may be open for days. */
const ABANDONED = nameValues<Values>({
  name: "abandoned-tasks",
  text: `SELECT id, chat_id AS "chatId" FROM task
    WHERE ${OPEN_TASK} AND task.owner IS NOT NULL AND task.owner <> $owner AND ${isGone("task.owner")}
    ORDER BY created_at LIMIT $limit`,
});

type AbandonedTask = Pick<TaskRow, "id" | "chatId">;

/** Lists tasks whose process has ended. */
export const listAbandonedTasks = (db: Queryable, search: Values): Promise<AbandonedTask[]> =>
  runNamed<AbandonedTask, Values>(db, ABANDONED, search);
