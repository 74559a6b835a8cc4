import { AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Queryable } from "./database";

/** The keys under which settings are stored. */
export const SETTING = { advisor: "advisor", databaseId: "database_id" } as const;

/** Parses stored settings; an invalid value counts as not set. */
export const toAdvisorConfig = (stored: unknown): AdvisorConfig => {
  if (stored === null || stored === undefined) return DEFAULT_ADVISOR_CONFIG;
  const parsed = AdvisorConfig.safeParse(stored);
  return parsed.success ? parsed.data : DEFAULT_ADVISOR_CONFIG;
};

/** The advisor's settings. */
export const readAdvisorConfig = async ({ prisma }: Queryable): Promise<AdvisorConfig> => {
  const row = await prisma.setting.findUnique({ where: { key: SETTING.advisor } });
  return toAdvisorConfig(row?.value);
};
