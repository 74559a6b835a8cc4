import type { AgentType, AgentTypesConfig, AgentTypesInput } from "@/contract/agent-type";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const AGENT_TYPE_TEXTS = {
  AgentTypesConfig: {
    agent_types: [
      "All agent types of the server, at least one. The first is that of agents for which the model chooses none.",
    ],
    version: ["The version of the agent types, which goes up with each change.", 3],
  } satisfies FieldTexts<AgentTypesConfig>,
  AgentType: {
    name: ["The name by which a call chooses the type.", "review"],
    description: ["When to choose the type, for the model.", "Reads a change"],
    prompt: ["Instructions for the model of the type's agents.", "Name each fault by its line."],
    tools: [
      "Names of the server's tools that the type's agents have; null for all that a child chat may have.",
      ["read_file"],
    ],
    model_id: [
      "The id of the model of the type's agents; null for that of their parent, which also replaces a model that is disabled or gone.",
      null,
    ],
    max_steps: ["Most model calls of a turn of the type's agents; null for the default.", 20],
    inherit_dynamic_tools: [
      "True if the type's agents have the dynamic tools of their parent.",
      false,
    ],
  } satisfies FieldTexts<AgentType>,
  "config.setAgentTypes": {
    agent_types: [
      "All agent types of the server, at least one. The first is that of agents for which the model chooses none.",
    ],
    version: [
      "The version that was read: the agent types are then replaced only if they have not changed since, else the answer is 409. Without it they are replaced in any case.",
      3,
    ],
  } satisfies FieldTexts<AgentTypesInput>,
} satisfies SchemaTexts;
