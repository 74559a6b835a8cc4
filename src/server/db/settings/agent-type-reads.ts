import {
  type AgentTypesConfig,
  AgentTypesInput,
  createShippedAgentTypes,
} from "@/contract/agent-type";
import type { Queryable } from "@/server/db/connection/database";
import { createStoredSetting } from "./stored-setting";

/** The agent types that administrators have saved; an invalid value counts as none. */
export const agentTypeSetting = createStoredSetting<AgentTypesConfig>({
  key: "agent_types",
  parse: (stored) => {
    const { agent_types = [], version = 0 } = AgentTypesInput.safeParse(stored).data ?? {};
    return { agent_types, version };
  },
});

/** @returns the saved agent types, or those that ship while none are saved. */
export const withShippedTypes = (
  saved: AgentTypesConfig,
  exploreTools: readonly string[],
): AgentTypesConfig =>
  saved.agent_types.length > 0 ? saved : createShippedAgentTypes(exploreTools);

export const readAgentTypes = async (
  db: Queryable,
  exploreTools: readonly string[],
): Promise<AgentTypesConfig> => withShippedTypes(await agentTypeSetting.read(db), exploreTools);
