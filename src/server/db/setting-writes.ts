import { type AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Queryable, Statement } from "./database";
import { toJsonText } from "./nul";
import { SETTING } from "./setting-reads";

const WRITE: Statement = {
  name: "write-setting",
  text: `INSERT INTO setting (key, value, updated_at) VALUES ($1, $2::jsonb, now())
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
};

export const writeAdvisorConfig = async (db: Queryable, config: AdvisorConfig): Promise<void> => {
  await db.query(WRITE, [SETTING.advisor, toJsonText(config)]);
};

const SEED: Statement = {
  name: "seed-setting",
  text: `INSERT INTO setting (key, value, updated_at) VALUES ($1, $2::jsonb, now())
    ON CONFLICT (key) DO NOTHING`,
};

/** Turns the advisor on, unless an administrator has decided already. */
export const seedAdvisorConfig = async (db: Queryable): Promise<void> => {
  await db.query(SEED, [
    SETTING.advisor,
    toJsonText({ ...DEFAULT_ADVISOR_CONFIG, enabled: true } satisfies AdvisorConfig),
  ]);
};
