import type { Statement, Transaction } from "@/server/db/connection/database";
import { notifySql } from "@/server/db/sql/rows/chat-row";

/** What administrators, and programs for them, declare in tables of its own. Every process reads it again after a notification of its channel. */
export const DECLARED_CHANNEL = {
  models: "parley_model",
  recipes: "parley_recipe",
  mcpServers: "parley_mcp_server",
  toolsets: "parley_toolset",
  /** Which toolsets have programs that run them. */
  runners: "parley_toolset_runner",
} as const;

/** Every process drops its cached value of the setting whose key a notification of this channel has. */
export const SETTING_CHANNEL = "parley_setting";

/** Every process loads its files of recipes again when this channel has a notification of another one. */
export const RECIPE_RELOAD_CHANNEL = "parley_recipe_reload";

/** Every process reads again whether there are browsers that are notified. */
export const PUSH_CHANNEL = "parley_push";

/** Raw, as Prisma has no notifications. */
const toNotify = (channel: string, payload: string): Statement => ({
  name: `notify-${channel}`,
  text: `SELECT ${notifySql(channel, payload)}`,
});

const NOTIFY = {
  models: toNotify(DECLARED_CHANNEL.models, "''"),
  recipes: toNotify(DECLARED_CHANNEL.recipes, "''"),
  mcpServers: toNotify(DECLARED_CHANNEL.mcpServers, "''"),
  toolsets: toNotify(DECLARED_CHANNEL.toolsets, "''"),
  runners: toNotify(DECLARED_CHANNEL.runners, "''"),
};
const NOTIFY_SETTING = toNotify(SETTING_CHANNEL, "$1");
const NOTIFY_PUSH = toNotify(PUSH_CHANNEL, "''");
const NOTIFY_RELOAD = toNotify(RECIPE_RELOAD_CHANNEL, "$1");

/** Reports a change of what administrators declare when the transaction commits. */
export const publishDeclaredChange = async (
  tx: Transaction,
  what: keyof typeof DECLARED_CHANNEL,
): Promise<void> => {
  await tx.query(NOTIFY[what], []);
};

/** Reports a change of a setting when the transaction commits. */
export const publishSettingChange = async (tx: Transaction, key: string): Promise<void> => {
  await tx.query(NOTIFY_SETTING, [key]);
};

/** @param sender the id of the process that has loaded its own. */
export const publishRecipeReload = async (tx: Transaction, sender: string): Promise<void> => {
  await tx.query(NOTIFY_RELOAD, [sender]);
};

/** Reports a new subscription to notifications when the transaction commits. */
export const publishPushChange = async (tx: Transaction): Promise<void> => {
  await tx.query(NOTIFY_PUSH, []);
};
