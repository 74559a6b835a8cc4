import { AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import { ToolMode, type ToolModes } from "@/contract/tool";
import type { Queryable } from "@/server/db/connection/database";
import { createStoredSetting } from "./stored-setting";

/** The mode of each tool is a setting of its own, so that two administrators can set two tools at a time. */
export const TOOL_MODE_PREFIX = "tool_mode:";

/** The advisor's settings; an invalid value counts as not set. */
export const advisorSetting = createStoredSetting<AdvisorConfig>({
  key: "advisor",
  parse: (stored) => AdvisorConfig.safeParse(stored).data ?? DEFAULT_ADVISOR_CONFIG,
});

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
