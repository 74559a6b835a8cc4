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

const DEFAULT: Statement = {
  name: "find-default-model",
  text: `SELECT ${COLUMNS} FROM model WHERE enabled
    ORDER BY is_default DESC, position, created_at, id LIMIT 1`,
};

/** The default model, or the first that is enabled when the default one is not. */
export const findDefaultModel = async (db: Queryable): Promise<ModelRow | undefined> =>
  (await db.query<ModelRow>(DEFAULT, []))[0];
