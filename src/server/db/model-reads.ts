import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "./database";
import type { Model } from "./generated/client";
import type { ModelRow } from "./rows";

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
});

/** Models change when an operator restarts the server or edits them: rarely, and never urgently. */
const MODELS_CACHE_MS = 5_000;

type CachedModels = { models: Promise<ModelRow[]>; expiresAt: number };

const cache = new WeakMap<Queryable, CachedModels>();

/** Lists all models from a cache of some seconds, for reads of every request and every step. */
export const recentModels = (db: Queryable): Promise<ModelRow[]> => {
  const known = cache.get(db);
  const now = performance.now();
  if (known && known.expiresAt > now) return known.models;
  const entry = { models: listModels(db), expiresAt: now + MODELS_CACHE_MS };
  cache.set(db, entry);
  entry.models.catch(() => cache.delete(db));
  return entry.models;
};

/** The default model, or the first that is enabled when the default one is not. */
export const defaultModelOf = (models: readonly ModelRow[]): ModelRow | undefined => {
  const enabled = models.filter((model) => model.enabled);
  return enabled.find(({ isDefault }) => isDefault) ?? enabled[0];
};
