import {
  type AgentType,
  type AgentTypesConfig,
  AgentTypesInput,
  DEFAULT_AGENT_TYPES,
} from "@/contract/agent-type";
import type { Database } from "@/server/db/connection/database";
import { SETTING } from "./setting-reads";
import { createVersionedSetting } from "./versioned-setting";

/** The agent types that administrators have saved. Without any, or for an invalid value, those that ship. */
export const agentTypeSetting = createVersionedSetting<AgentTypesConfig>({
  key: SETTING.agentTypes,
  parse: (stored) => {
    const { data } = AgentTypesInput.safeParse(stored);
    return data ? { ...data, version: data.version ?? 0 } : DEFAULT_AGENT_TYPES;
  },
});

/**
 * Reads the agent types from a cache, for every turn. Does not reject: while the database is away, it returns the
 * last ones.
 */
export const recentAgentTypes = async (db: Database): Promise<readonly AgentType[]> =>
  (await agentTypeSetting.recent(db)).agent_types;
