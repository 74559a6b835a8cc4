import { isDeepStrictEqual } from "node:util";
import type { ToolModes } from "@/contract/tool";
import type { Database } from "@/server/db/connection/database";
import { DECLARED_CHANNEL, SETTING_CHANNEL } from "@/server/db/sql/writes/setting-notices";
import { agentTypeSetting } from "./agent-type-reads";
import { type CachedRead, createCachedRead, isSameList } from "./cached-read";
import { groupSetting } from "./group-reads";
import { listMcpServers, type McpServerRow } from "./mcp-server-reads";
import { listPresentToolsets } from "@/server/db/sql/reads/runner-reads";
import { listModels } from "./model-reads";
import { readRecipesIfChanged, type RecipeRow } from "./recipe-reads";
import { readToolModes, TOOL_MODE_PREFIX } from "./setting-reads";
import type { StoredSetting } from "./stored-setting";
import { listToolsets, type ToolsetRow } from "./toolset-reads";

export type SettingCaches = ReturnType<typeof createSettingCaches>;

/** What administrators have declared, as requests and turns of a process read it. */
export const createSettingCaches = (db: Database) => ({
  models: createCachedRead({ db, channel: DECLARED_CHANNEL.models, read: () => listModels(db) }),
  recipes: createCachedRead<readonly RecipeRow[]>({
    db,
    channel: DECLARED_CHANNEL.recipes,
    read: (known = []) => readRecipesIfChanged(db, known),
    initial: [],
  }),
  mcpServers: createCachedRead<readonly McpServerRow[]>({
    db,
    channel: DECLARED_CHANNEL.mcpServers,
    read: async (known = []) => {
      const rows = await listMcpServers(db);
      return isSameList(known, rows, ({ id }) => id) ? known : rows;
    },
    initial: [],
  }),
  toolsets: createCachedRead<readonly ToolsetRow[]>({
    db,
    channel: DECLARED_CHANNEL.toolsets,
    read: async (known = []) => {
      const rows = await listToolsets(db);
      const isSame = isSameList(known, rows, ({ name, revision }) => `${name}/${revision}`);
      return isSame ? known : rows;
    },
    initial: [],
  }),
  /** Names of the toolsets that a connected program runs. */
  presentToolsets: createCachedRead<readonly string[]>({
    db,
    channel: DECLARED_CHANNEL.runners,
    read: async (known = []) => {
      const names = await listPresentToolsets(db);
      return isDeepStrictEqual(known, names) ? known : names;
    },
    initial: [],
  }),
  toolModes: createCachedRead<ToolModes>({
    db,
    channel: SETTING_CHANNEL,
    isAbout: (changed) => changed.startsWith(TOOL_MODE_PREFIX),
    read: () => readToolModes(db),
  }),
  groups: cacheSetting(db, groupSetting),
  agentTypes: cacheSetting(db, agentTypeSetting),
});

const cacheSetting = <Value>(
  db: Database,
  { key, parse, read }: StoredSetting<Value>,
): CachedRead<Value> =>
  createCachedRead({
    db,
    channel: SETTING_CHANNEL,
    isAbout: (changed) => changed === key,
    read: () => read(db),
    initial: parse(undefined),
  });
