import { withDatabase } from "./query-database";
import type { TestDatabase } from "./test-database";

const SET_PARENT = "UPDATE chat SET parent_chat_id = $2, root_chat_id = $2 WHERE id = $1";

type Family = { childId: string; parentId: string };

/** Turns a chat into a child chat in the database; its server must not be running. */
export const setParentChat = (
  database: TestDatabase,
  { childId, parentId }: Family,
): Promise<void> =>
  withDatabase(database, async (pool) => {
    const { rowCount } = await pool.query(SET_PARENT, [childId, parentId]);
    if (rowCount !== 1) throw new Error(`there is no chat ${childId}`);
  });
