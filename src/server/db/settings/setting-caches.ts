import type { Database } from "@/server/db/connection/database";
import { MCP_SERVER_CHANNEL } from "@/server/db/sql/writes/mcp-server-notices";
import { MODEL_CHANNEL } from "@/server/db/sql/writes/model-notices";
import { RECIPE_CHANNEL } from "@/server/db/sql/writes/recipe-notices";
import { SETTING_CHANNEL } from "@/server/db/sql/writes/setting-notices";
import { agentTypeSetting } from "./agent-type-reads";
import { type CachedRead, createCachedRead, isSameList } from "./cached-read";
import { groupSetting } from "./group-reads";
import { listMcpServers, type McpServerRow } from "./mcp-server-reads";
import { listModels } from "./model-reads";
import { readRecipesIfChanged, type RecipeRow } from "./recipe-reads";
import type { VersionedSetting } from "./versioned-setting";

export type SettingCaches = ReturnType<typeof createSettingCaches>;

/** What administrators have declared, as requests and turns of a process read it. */
export const createSettingCaches = (db: Database) => ({
  models: createCachedRead({ db, channel: MODEL_CHANNEL, read: () => listModels(db) }),
  recipes: createCachedRead<readonly RecipeRow[]>({
    db,
    channel: RECIPE_CHANNEL,
    read: (known = []) => readRecipesIfChanged(db, known),
    initial: [],
  }),
  mcpServers: createCachedRead<readonly McpServerRow[]>({
    db,
    channel: MCP_SERVER_CHANNEL,
    read: async (known = []) => {
      const rows = await listMcpServers(db);
      return isSameList(known, rows, ({ id }) => id) ? known : rows;
    },
    initial: [],
  }),
  groups: cacheSetting(db, groupSetting),
  agentTypes: cacheSetting(db, agentTypeSetting),
});

const cacheSetting = <Value>(
  db: Database,
  { key, parse, read }: VersionedSetting<Value>,
): CachedRead<Value> =>
  createCachedRead({
    db,
    channel: SETTING_CHANNEL,
    isAbout: (changed) => changed === key,
    read: () => read(db),
    initial: parse(undefined),
  });
