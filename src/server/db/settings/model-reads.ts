import { isUuid } from "@/lib/is-uuid";
import type { Database, Queryable } from "@/server/db/connection/database";
import type { Model } from "@/server/db/generated/client";
import { perDatabase } from "@/server/db/connection/per-database";
import type { ModelRow } from "@/server/db/chats/rows";
import { MODEL_CHANNEL } from "@/server/db/sql/writes/model-notices";

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
});

/** How late a change of models is seen when its notification was lost. */
const MODELS_CACHE_MS = 5_000;

type ModelCache = { current?: { models: Promise<ModelRow[]>; expiresAt: number } };

const modelCache = perDatabase((): ModelCache => ({}));

/** Drops the cached list of this process at each change of models, in any process. */
export const watchModels = async (db: Database): Promise<void> => {
  await db.listen(MODEL_CHANNEL, () => delete modelCache(db).current);
};

/** Lists all models from a cache, for reads of every request and every step. */
export const recentModels = (db: Database): Promise<ModelRow[]> => {
  const cache = modelCache(db);
  const now = performance.now();
  if (cache.current && cache.current.expiresAt > now) return cache.current.models;
  const entry = { models: listModels(db), expiresAt: now + MODELS_CACHE_MS };
  cache.current = entry;
  entry.models.catch(() => {
    if (cache.current === entry) delete cache.current;
  });
  return entry.models;
};

/** The default model, or the first that is enabled when the default one is not. */
export const findDefaultModel = (models: readonly ModelRow[]): ModelRow | undefined => {
  const enabled = models.filter((model) => model.enabled);
  return enabled.find(({ isDefault }) => isDefault) ?? enabled[0];
};
