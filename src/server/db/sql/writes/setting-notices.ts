import type { Statement, Transaction } from "@/server/db/connection/database";
import { notifySql } from "@/server/db/sql/rows/chat-row";

/** Every process drops its cached value of the setting whose key a notification of this channel has. */
export const SETTING_CHANNEL = "parley_setting";

/** Raw, as Prisma has no notifications. */
const NOTIFY: Statement = {
  name: "notify-setting",
  text: `SELECT ${notifySql(SETTING_CHANNEL, "$1")}`,
};

/** Reports a change of a setting when the transaction commits. */
export const publishSettingChange = async (tx: Transaction, key: string): Promise<void> => {
  await tx.query(NOTIFY, [key]);
};
