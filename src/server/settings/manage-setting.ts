import type { AdvisorConfig } from "@/contract/advisor";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { findModel } from "@/server/db/settings/model-reads";
import { writeStoredSetting } from "@/server/db/settings/setting-writes";
import type { SettingValue, StoredSetting } from "@/server/db/settings/stored-setting";
import { requireOwner } from "./require-owner";

/** Returns what administrators may do with a setting. @param check throws a `DomainError` for a value that is refused. */
export const manageSetting = <Value extends SettingValue>(
  setting: StoredSetting<Value>,
  check: (ctx: ServerContext, value: Value) => Promise<void> = () => Promise.resolve(),
) => ({
  /** @throws {DomainError} `forbidden`. */
  get: ({ db, actor }: ServerContext): Promise<Value> => {
    requireOwner(actor);
    return setting.read(db);
  },
  /** Stores a value for the next turns. @throws {DomainError} `forbidden`, and as `check` does. */
  set: async (ctx: ServerContext, value: Value): Promise<Value> => {
    requireOwner(ctx.actor);
    await check(ctx, value);
    await writeStoredSetting(ctx.db, setting, value);
    return value;
  },
});

/**
 * Refuses a model that does not exist. A disabled one is accepted, because a model can also be disabled later; the chat's
 * own model then replaces it.
 */
export const requireAdvisorModel = async (
  { db }: ServerContext,
  { model_id: modelId }: AdvisorConfig,
): Promise<void> => {
  if (modelId === null || (await findModel(db, modelId))) return;
  throw new DomainError("invalid", `There is no model "${modelId}".`, {
    errors: [{ pointer: "/model_id", message: "names no model" }],
  });
};
