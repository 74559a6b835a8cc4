import { AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Queryable, Statement } from "./database";

/** The keys under which settings are kept. */
export const SETTING = { advisor: "advisor" } as const;

const READ: Statement = {
  name: "read-setting",
  text: "SELECT value FROM setting WHERE key = $1",
};

/** The advisor's settings; what no version of ours can have written counts as not set. */
export const readAdvisorConfig = async (db: Queryable): Promise<AdvisorConfig> => {
  const [row] = await db.query<{ value: unknown }>(READ, [SETTING.advisor]);
  const stored = AdvisorConfig.safeParse(row?.value);
  return stored.success ? stored.data : DEFAULT_ADVISOR_CONFIG;
};
