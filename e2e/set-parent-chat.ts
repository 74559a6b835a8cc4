import pg from "pg";
import { embeddedSource } from "@/server/db/embedded";
import type { TestDatabase } from "./test-database";

const SET_PARENT = "UPDATE chat SET parent_chat_id = $2, root_chat_id = $2 WHERE id = $1";

type Family = { childId: string; parentId: string };

/** Turns a chat into a child chat in the database; its server must not be running. */
export const setParentChat = async (
  { env, dataDir }: TestDatabase,
  { childId, parentId }: Family,
): Promise<void> => {
  const connectionString = env.DATABASE_URL;
  const source = connectionString === undefined ? embeddedSource(dataDir) : undefined;
  const pool = source ? await source.pool() : new pg.Pool({ connectionString, max: 1 });
  try {
    const { rowCount } = await pool.query(SET_PARENT, [childId, parentId]);
    if (rowCount !== 1) throw new Error(`there is no chat ${childId}`);
  } finally {
    await (source ? source.close() : pool.end());
  }
};
