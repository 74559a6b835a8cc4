import type { AdvisorConfig } from "@/contract/advisor";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { findModel } from "@/server/db/model-reads";
import { writeAdvisorConfig } from "@/server/db/setting-writes";
import { requireOwner } from "./require-owner";

/**
 * Sets what the advisor does from the next turns on. A model that is disabled may be named, as one
 * may be disabled later too: the chat's own stands in for it.
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
