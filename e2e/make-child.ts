import pg from "pg";
import { embeddedSource } from "@/server/db/embedded";
import type { OwnDatabase } from "./own-database";

const MAKE_CHILD = "UPDATE chat SET parent_chat_id = $2, root_chat_id = $2 WHERE id = $1";

type Family = { childId: string; parentId: string };

/** Makes a chat one that another has spawned; its server must not be running. */
export const makeChild = async (
  { env, dataDir }: OwnDatabase,
  { childId, parentId }: Family,
): Promise<void> => {
  const connectionString = env.DATABASE_URL;
  const source = connectionString === undefined ? embeddedSource(dataDir) : undefined;
  const pool = source ? await source.pool() : new pg.Pool({ connectionString, max: 1 });
  try {
    const { rowCount } = await pool.query(MAKE_CHILD, [childId, parentId]);
    if (rowCount !== 1) throw new Error(`there is no chat ${childId}`);
  } finally {
    await (source ? source.close() : pool.end());
  }
};
