import { AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import { ToolMode, type ToolModes } from "@/contract/tool";
import type { Queryable } from "@/server/db/connection/database";

/** The keys under which settings are stored. */
export const SETTING = {
  advisor: "advisor",
  agentTypes: "agent_types",
  databaseId: "database_id",
  groups: "groups",
  probe: "readiness_probe",
  workspacesId: "workspaces_id",
} as const;

/** The mode of each tool is a setting of its own, so that two administrators can set two tools at a time. */
export const TOOL_MODE_PREFIX = "tool_mode:";

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

/** Parses the settings of tools by their keys; an invalid value counts as not set. */
export const toToolModes = (stored: Record<string, unknown>): ToolModes =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      const { data } = ToolMode.safeParse(value);
      return data === undefined ? [] : [[key.slice(TOOL_MODE_PREFIX.length), data]];
    }),
  );

/** The modes that administrators have set; a tool without one is on. */
export const readToolModes = async ({ prisma }: Queryable): Promise<ToolModes> => {
  const rows = await prisma.setting.findMany({ where: { key: { startsWith: TOOL_MODE_PREFIX } } });
  return toToolModes(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
};
