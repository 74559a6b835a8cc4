import type { Database } from "@/server/db/database";
import { listModels } from "@/server/db/model-reads";
import type { ModelRow } from "@/server/db/rows";

/** Models change when an operator restarts the server or edits them: rarely, and never urgently. */
const MODELS_CACHE_MS = 10_000;

type Cached = { models: Promise<ModelRow[]>; expiresAt: number };

const cache = new WeakMap<Database, Cached>();

/** How many tokens the chat's model takes, or the default one's where the chat names none. */
export const limitTokensOf = async (
  db: Database,
  { modelId }: { modelId: string | null },
): Promise<number | null> => {
  const models = await cachedModels(db);
  const model = modelId === null ? defaultOf(models) : models.find(({ id }) => id === modelId);
  return model?.contextLimit ?? null;
};

const defaultOf = (models: ModelRow[]): ModelRow | undefined => {
  const enabled = models.filter((model) => model.enabled);
  return enabled.find(({ isDefault }) => isDefault) ?? enabled[0];
};

const cachedModels = (db: Database): Promise<ModelRow[]> => {
  const known = cache.get(db);
  const now = Date.now();
  if (known && known.expiresAt > now) return known.models;
  const entry = { models: listModels(db), expiresAt: now + MODELS_CACHE_MS };
  cache.set(db, entry);
  entry.models.catch(() => cache.delete(db));
  return entry.models;
};
