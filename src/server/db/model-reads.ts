import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "./database";
import type { ModelRow } from "./rows";

const COLUMNS = `id, provider, model, name, context_limit AS "contextLimit", prices, enabled,
  is_default AS "isDefault", position`;

const LIST: Statement = {
  name: "list-models",
  text: `SELECT ${COLUMNS} FROM model ORDER BY position, created_at, id`,
};

/** All models in the operator's order, disabled ones too. */
export const listModels = (db: Queryable): Promise<ModelRow[]> => db.query<ModelRow>(LIST, []);

const FIND: Statement = {
  name: "find-model",
  text: `SELECT ${COLUMNS} FROM model WHERE id = $1::uuid`,
};

/** @returns undefined for an id that is unknown, or no id at all. */
export const findModel = async (db: Queryable, id: string): Promise<ModelRow | undefined> =>
  isUuid(id) ? (await db.query<ModelRow>(FIND, [id]))[0] : undefined;

/** Models change when an operator restarts the server or edits them: rarely, and never urgently. */
const MODELS_CACHE_MS = 5_000;

type CachedModels = { models: Promise<ModelRow[]>; expiresAt: number };

const cache = new WeakMap<Queryable, CachedModels>();

/** All models as they were some seconds ago at most, for what every request and every step asks. */
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
