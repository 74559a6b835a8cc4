import type { Statement, Transaction } from "@/server/db/connection/database";
import { notifySql } from "@/server/db/sql/rows/chat-row";

/** Every process drops its cached list of models when this channel has a notification. */
export const MODEL_CHANNEL = "parley_model";

/** Raw, as Prisma has no notifications. */
const NOTIFY: Statement = {
  name: "notify-models",
  text: `SELECT ${notifySql(MODEL_CHANNEL, "''")}`,
};

/** Reports a change of models when the transaction commits. */
export const publishModelChange = async (tx: Transaction): Promise<void> => {
  await tx.query(NOTIFY, []);
};
