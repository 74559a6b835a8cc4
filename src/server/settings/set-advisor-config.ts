import type { AdvisorConfig } from "@/contract/advisor";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { findModel } from "@/server/db/settings/model-reads";
import { writeAdvisorConfig } from "@/server/db/settings/setting-writes";
import { requireOwner } from "./require-owner";

/**
 * Stores the advisor's settings for the next turns. A disabled model is accepted, because a model can
 * also be disabled later; the chat's own model then replaces it.
 *
 * @throws {DomainError} `forbidden`; `invalid` for a model that does not exist.
 */
export const setAdvisorConfig = async (
  { db, actor }: ServerContext,
  config: AdvisorConfig,
): Promise<AdvisorConfig> => {
  requireOwner(actor);
  if (config.model_id !== null && !(await findModel(db, config.model_id))) {
    throw new DomainError("invalid", `There is no model "${config.model_id}".`, {
      errors: [{ pointer: "/model_id", message: "names no model" }],
    });
  }
  await writeAdvisorConfig(db, config);
  return config;
};
