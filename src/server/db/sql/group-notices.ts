import type { Statement, Transaction } from "@/server/db/database";
import { notifySql } from "./chat-row";

/** Every process drops its cached groups when this channel has a notification. */
export const GROUP_CHANNEL = "parley_group";

/** Raw, as Prisma has no notifications. */
const NOTIFY: Statement = {
  name: "notify-groups",
  text: `SELECT ${notifySql(GROUP_CHANNEL, "''")}`,
};

/** Reports a change of groups when the transaction commits. */
export const publishGroupChange = async (tx: Transaction): Promise<void> => {
  await tx.query(NOTIFY, []);
};
