import { DomainError } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import { isUuid } from "@/lib/is-uuid";
import type { ModelRow } from "@/server/db/chats/rows";
import { findModel, listModels } from "@/server/db/settings/model-reads";

export const unknownModel = (modelId: string): DomainError =>
  new DomainError("invalid", `There is no enabled model "${modelId}".`, {
    errors: [{ pointer: "/model_id", message: "names no enabled model" }],
  });

/**
 * Finds the model that a request names, by its id or as `provider/model`; of several with the same name, the first that is enabled.
 *
 * @returns its id; undefined if the request names none.
 * @throws {DomainError} `invalid` when the model is unknown or disabled.
 */
export const requireModel = async (
  db: Database,
  named: string | undefined,
): Promise<string | undefined> => {
  if (named === undefined) return undefined;
  const model = isUuid(named)
    ? await findModel(db, named)
    : (await listModels(db)).find((each) => each.enabled && toName(each) === named);
  if (!model?.enabled) throw unknownModel(named);
  return model.id;
};

/**
 * Finds the id of the model that a request names. A statement of the caller checks one that is an id already.
 *
 * @throws {DomainError} `invalid` for a name that no enabled model has.
 */
export const findModelId = async (
  db: Database,
  named: string | undefined,
): Promise<string | undefined> =>
  named === undefined || isUuid(named) ? named : requireModel(db, named);

const toName = ({ provider, model }: Pick<ModelRow, "provider" | "model">): string =>
  `${provider}/${model}`;
