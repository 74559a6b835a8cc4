import type { Statement, Transaction } from "@/server/db/connection/database";
import { notifySql } from "@/server/db/sql/rows/chat-row";

/** Every process drops its cached list of recipes when this channel has a notification. */
export const RECIPE_CHANNEL = "parley_recipe";

/** Raw, as Prisma has no notifications. */
const NOTIFY: Statement = {
  name: "notify-recipes",
  text: `SELECT ${notifySql(RECIPE_CHANNEL, "''")}`,
};

/** Every process loads its files of recipes again when this channel has a notification of another one. */
export const RECIPE_RELOAD_CHANNEL = "parley_recipe_reload";

const NOTIFY_RELOAD: Statement = {
  name: "notify-recipe-reload",
  text: `SELECT ${notifySql(RECIPE_RELOAD_CHANNEL, "$1")}`,
};

/** @param sender the id of the process that has loaded its own. */
export const publishRecipeReload = async (tx: Transaction, sender: string): Promise<void> => {
  await tx.query(NOTIFY_RELOAD, [sender]);
};

/** Reports a change of recipes when the transaction commits. */
export const publishRecipeChange = async (tx: Transaction): Promise<void> => {
  await tx.query(NOTIFY, []);
};
