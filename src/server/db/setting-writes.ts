import * as z from "zod";
import { type AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Group, GroupsConfig } from "@/contract/group";
import type { ToolMode } from "@/contract/tool";
import type { Database, Queryable } from "./database";
import { readGroupsConfig } from "./group-reads";
import { SETTING, TOOL_MODE_PREFIX } from "./setting-reads";
import { readClock } from "./sql/clock-reads";
import { publishGroupChange } from "./sql/group-notices";
import { lockTable } from "./sql/table-locks";

export const writeAdvisorConfig = (db: Queryable, value: AdvisorConfig): Promise<void> =>
  writeSetting(db, SETTING.advisor, value);

export const writeToolMode = (db: Queryable, name: string, mode: ToolMode): Promise<void> =>
  writeSetting(db, `${TOOL_MODE_PREFIX}${name}`, mode);

/**
 * Replaces all groups by those that `change` makes of them, which stay as they are until then, and reports it to every
 * process. Rejects as `change` does.
 */
export const changeGroups = (
  db: Database,
  change: (before: GroupsConfig) => Group[],
): Promise<GroupsConfig> =>
  db.transaction(async (tx) => {
    await lockTable(tx, "setting");
    const before = await readGroupsConfig(tx);
    const value = { groups: change(before), version: before.version + 1 };
    await writeSetting(tx, SETTING.groups, value);
    await publishGroupChange(tx);
    return value;
  });

const writeSetting = async (
  db: Queryable,
  key: string,
  value: AdvisorConfig | GroupsConfig | ToolMode,
): Promise<void> => {
  await db.prisma.setting.upsert({
    where: { key },
    create: { key, value },
    update: { value, updatedAt: await readClock(db) },
  });
};

/** Turns the advisor on, unless an administrator has decided already. */
export const seedAdvisorConfig = async ({ prisma }: Queryable): Promise<void> => {
  const value: AdvisorConfig = { ...DEFAULT_ADVISOR_CONFIG, enabled: true };
  await prisma.setting.createMany({
    data: [{ key: SETTING.advisor, value }],
    skipDuplicates: true,
  });
};

/** Returns the id that identifies this database; the first call writes it. */
export const ensureDatabaseId = (db: Queryable, newId: () => string): Promise<string> =>
  ensureId(db, SETTING.databaseId, newId());

/** Returns the id of the directory that has the files of chats; the first call writes it. */
export const ensureWorkspacesId = (db: Queryable, id: string): Promise<string> =>
  ensureId(db, SETTING.workspacesId, id);

const ensureId = async ({ prisma }: Queryable, key: string, id: string): Promise<string> => {
  await prisma.setting.createMany({ data: [{ key, value: id }], skipDuplicates: true });
  const { value } = await prisma.setting.findUniqueOrThrow({ where: { key } });
  return z.uuid().parse(value);
};

/** Writes the row that the readiness probe overwrites each time. */
export const writeProbe = async (db: Queryable): Promise<void> => {
  const key = SETTING.probe;
  const value = (await readClock(db)).toISOString();
  await db.prisma.setting.upsert({ where: { key }, create: { key, value }, update: { value } });
};
