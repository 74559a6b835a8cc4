import { AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Queryable, Statement } from "./database";

/** The keys under which settings are kept. */
export const SETTING = { advisor: "advisor" } as const;

const READ: Statement = {
  name: "read-setting",
  text: "SELECT value FROM setting WHERE key = $1",
};

/** Settings as they are stored; what no version of ours can have written counts as not set. */
export const toAdvisorConfig = (stored: unknown): AdvisorConfig => {
  if (stored === null || stored === undefined) return DEFAULT_ADVISOR_CONFIG;
  const parsed = AdvisorConfig.safeParse(stored);
  return parsed.success ? parsed.data : DEFAULT_ADVISOR_CONFIG;
};

/** The advisor's settings. */
export const readAdvisorConfig = async (db: Queryable): Promise<AdvisorConfig> => {
  const [row] = await db.query<{ value: unknown }>(READ, [SETTING.advisor]);
  return toAdvisorConfig(row?.value);
};
