import { DomainError } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import { findModel } from "@/server/db/settings/model-reads";

export const unknownModel = (modelId: string): DomainError =>
  new DomainError("invalid", `There is no enabled model "${modelId}".`, {
    errors: [{ pointer: "/model_id", message: "names no enabled model" }],
  });

/** @throws {DomainError} `invalid` when the model is unknown or disabled; no id is fine. */
export const requireModel = async (db: Database, modelId: string | undefined): Promise<void> => {
  if (modelId === undefined) return;
  const model = await findModel(db, modelId);
  if (!model?.enabled) throw unknownModel(modelId);
};
