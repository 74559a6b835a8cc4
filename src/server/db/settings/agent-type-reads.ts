import { type AgentTypesConfig, AgentTypesInput, DEFAULT_AGENT_TYPES } from "@/contract/agent-type";
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
