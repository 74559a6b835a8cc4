import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import type { Model } from "@/server/db/generated/client";
import type { ModelRow } from "@/server/db/chats/rows";

/** All models in the operator's order, disabled ones too. */
export const listModels = async ({ prisma }: Queryable): Promise<ModelRow[]> => {
  const models = await prisma.model.findMany({
    omit: { createdAt: true },
    orderBy: [{ position: "asc" }, { createdAt: "asc" }, { id: "asc" }],
  });
  return models.map(toModelRow);
};

/** @returns undefined for an id that is unknown, or no id at all. */
export const findModel = async (
  { prisma }: Queryable,
  id: string,
): Promise<ModelRow | undefined> => {
  if (!isUuid(id)) return undefined;
  const model = await prisma.model.findUnique({ where: { id }, omit: { createdAt: true } });
  return model ? toModelRow(model) : undefined;
};

const toModelRow = (model: Omit<Model, "createdAt">): ModelRow => ({
  ...model,
  provider: model.provider as ModelRow["provider"],
  prices: model.prices as ModelRow["prices"],
  toolProtocol: model.toolProtocol as ModelRow["toolProtocol"],
  reads: model.reads as ModelRow["reads"],
  reasoningEffort: model.reasoningEffort as ModelRow["reasoningEffort"],
  providerTools: model.providerTools as ModelRow["providerTools"],
  fileStores: model.fileStores as ModelRow["fileStores"],
});

/** The default model, or the first that is enabled when the default one is not. */
export const findDefaultModel = (models: readonly ModelRow[]): ModelRow | undefined => {
  const enabled = models.filter((model) => model.enabled);
  return enabled.find(({ isDefault }) => isDefault) ?? enabled[0];
};
