import * as z from "zod";
import { type AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { AgentTypesConfig } from "@/contract/agent-type";
import type { GroupsConfig } from "@/contract/group";
import type { ToolMode } from "@/contract/tool";
import type { Database, Queryable } from "@/server/db/connection/database";
import { advisorSetting, TOOL_MODE_PREFIX } from "./setting-reads";
import { saveSetting } from "@/server/db/sql/writes/dated-writes";
import { publishSettingChange } from "@/server/db/sql/writes/setting-notices";
import { lockTable } from "@/server/db/sql/machine/table-locks";
import type { SettingValue, StoredSetting } from "./stored-setting";

/** The keys of what the server stores for itself. */
export const SERVER_KEY = {
  databaseId: "database_id",
  probe: "readiness_probe",
  pushKeys: "push_keys",
  workspacesId: "workspaces_id",
} as const;

type VersionedValue = AgentTypesConfig | GroupsConfig;

/** Stores a value of a setting, for the next turns. */
export const writeStoredSetting = <Value extends SettingValue>(
  db: Queryable,
  { key }: StoredSetting<Value>,
  value: Value,
): Promise<void> => saveSetting(db, { key, value });

/** Sets the mode of a tool, for the next steps, and notifies every process. */
export const writeToolMode = (db: Database, name: string, mode: ToolMode): Promise<void> =>
  db.transaction(async (tx) => {
    const key = `${TOOL_MODE_PREFIX}${name}`;
    await saveSetting(tx, { key, value: mode });
    await publishSettingChange(tx, key);
  });

/**
 * Replaces a locked setting by what `change` returns for it, and notifies every process. Rejects as `change` does.
 */
export const changeSetting = <Value extends VersionedValue>(
  db: Database,
  { key, read }: StoredSetting<Value>,
  change: (before: Value) => Omit<Value, "version">,
): Promise<Value> =>
  db.transaction(async (tx) => {
    await lockTable(tx, "setting");
    const before = await read(tx);
    const value = { ...before, ...change(before), version: before.version + 1 };
    await saveSetting(tx, { key, value });
    await publishSettingChange(tx, key);
    return value;
  });

/** Turns the advisor on, unless an administrator has decided already. */
export const seedAdvisorConfig = async ({ prisma }: Queryable): Promise<void> => {
  const value: AdvisorConfig = { ...DEFAULT_ADVISOR_CONFIG, enabled: true };
  await prisma.setting.createMany({
    data: [{ key: advisorSetting.key, value }],
    skipDuplicates: true,
  });
};

/** Returns the id that identifies this database; the first call writes it. */
export const ensureDatabaseId = (db: Queryable, newId: () => string): Promise<string> =>
  ensureId(db, SERVER_KEY.databaseId, newId());

/** Returns the id of the directory that has the files of chats; the first call writes it. */
export const ensureWorkspacesId = (db: Queryable, id: string): Promise<string> =>
  ensureId(db, SERVER_KEY.workspacesId, id);

const ensureId = async ({ prisma }: Queryable, key: string, id: string): Promise<string> => {
  await prisma.setting.createMany({ data: [{ key, value: id }], skipDuplicates: true });
  const { value } = await prisma.setting.findUniqueOrThrow({ where: { key } });
  return z.uuid().parse(value);
};

/** Writes the row that the readiness probe overwrites each time. */
export const writeProbe = (db: Queryable): Promise<void> =>
  saveSetting(db, { key: SERVER_KEY.probe, value: true });
