import { v7 as newId } from "uuid";
import type { ModelPrices, ProviderName } from "@/contract/model";
import type { Database, Statement } from "./database";
import { toJsonText } from "./nul";

/** A model of the settings, with what is known of it. */
export type ModelSeed = {
  provider: ProviderName;
  model: string;
  /** The provider's id of the model when undefined. */
  name?: string | undefined;
  contextLimit?: number | null | undefined;
  prices?: ModelPrices | null | undefined;
};

/** Makes processes that start together take turns; readers are not held up. */
const LOCK: Statement = {
  name: "lock-models",
  text: "LOCK TABLE model IN SHARE ROW EXCLUSIVE MODE",
};

const INSERT: Statement = {
  name: "seed-models",
  text: `INSERT INTO model (id, provider, model, name, context_limit, prices, position)
    SELECT id, provider, model, name, context_limit, prices,
      row_number() OVER (ORDER BY index) - 1 + (SELECT coalesce(max(position) + 1, 0) FROM model)
    FROM jsonb_to_recordset($1::jsonb) AS x(index int, id uuid, provider text, model text, name text,
      context_limit int, prices jsonb)
    WHERE NOT EXISTS (
      SELECT FROM model WHERE model.provider = x.provider AND model.model = x.model)`,
};

const DROP_DEFAULT: Statement = {
  name: "drop-unlisted-default-model",
  text: `UPDATE model SET is_default = false WHERE is_default AND NOT EXISTS (
      SELECT FROM jsonb_to_recordset($1::jsonb) AS x(provider text, model text)
      WHERE model.provider = x.provider AND model.model = x.model)`,
};

const SET_DEFAULT: Statement = {
  name: "set-default-model",
  text: `UPDATE model SET is_default = true
    WHERE provider = $1 AND model = $2 AND NOT EXISTS (SELECT FROM model WHERE is_default)`,
};

/**
 * Offers the models of the settings. One that is there already keeps what an administrator made
 * of it, and the default stays while it is one of them; else it is the first.
 */
export const seedModels = async (db: Database, models: ModelSeed[]): Promise<void> => {
  const [first] = models;
  if (!first) return;
  const records = toJsonText(
    models.map(({ provider, model, name = model, contextLimit, prices }, index) => ({
      ...{ index, id: newId(), provider, model, name, context_limit: contextLimit, prices },
    })),
  );
  await db.transaction(async (tx) => {
    await tx.query(LOCK, []);
    await tx.query(INSERT, [records]);
    await tx.query(DROP_DEFAULT, [records]);
    await tx.query(SET_DEFAULT, [first.provider, first.model]);
  });
};
