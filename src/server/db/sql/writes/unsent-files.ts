import { UNSENT_FILE_DAYS } from "@/contract/limits";
import type { Queryable, Statement } from "@/server/db/connection/database";

/** Raw, as it compares with the clock of the database. */
const DELETE: Statement = {
  name: "delete-old-unsent-files",
  text: `DELETE FROM artifact WHERE chat_id IS NULL AND created_at < now() - $1::int * interval '1 day'`,
};

/** Deletes files that were sent to the server, and not with a message since. */
export const deleteOldUnsent = async (db: Queryable): Promise<void> => {
  await db.query(DELETE, [UNSENT_FILE_DAYS]);
};
