import type { Statement, Transaction } from "@/server/db/database";
import { notifySql } from "./chat-row";

/** Every process drops its cached list of recipes when this channel has a notification. */
export const RECIPE_CHANNEL = "parley_recipe";

/** Raw, as Prisma has no notifications. */
const NOTIFY: Statement = {
  name: "notify-recipes",
  text: `SELECT ${notifySql(RECIPE_CHANNEL, "''")}`,
};

/** Reports a change of recipes when the transaction commits. */
export const publishRecipeChange = async (tx: Transaction): Promise<void> => {
  await tx.query(NOTIFY, []);
};
