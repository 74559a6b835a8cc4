import type { FieldText } from "./openapi-recipe-texts";

const AGENT_TYPES: FieldText = [
  "All agent types of the server, at least one. The first is that of agents for which the model chooses none.",
];

/** Of agent types: by the name of a schema or an operation. */
export const AGENT_SPECIAL_FIELDS: Record<string, FieldText> = {
  "Agent.cost_micros": ["What it has cost, in millionths of the currency unit.", 1_250],
  "Agent.ended_at": ["When its task ended; null before.", null],
  "Agent.last_line": [
    "The last line that it has written, or the tool that it called last; null before.",
    "web_search",
  ],
  "Agent.required_action": [
    "What it waits for, to be answered under its own id, or that of its parent with `chat_id`.",
    null,
  ],
  "Agent.started_at": ["When its task began; null while it is queued.", "2026-11-24T09:00:00Z"],
  "Agent.steps": ["Steps of its turn.", 3],
  "Agent.task_state": ["Whether its task has ended, and how.", "running"],
  "Agent.title": ["What it works on.", "Read the changelogs"],
  "Agent.type": ["The agent type that it was started as.", "explore"],
  "ActionRequiredEvent.root_chat_id": [
    "The chat that takes the answers with `chat_id`, if an agent of it asks; else the chat itself.",
    "0198c0de-0000-7000-8000-000000000001",
  ],
  "AgentsEvent.agents": [
    "All agents of the chat, the oldest first; what they wait for is its `child_actions` from now on.",
    [],
  ],
  "chats.open.agents": ["The agents that the chat has started, the oldest first.", []],
  "ChildAction.chat_id": [
    "The id of the agent's chat, to be given with each answer.",
    "0198c0de-0000-7000-8000-000000000012",
  ],
  "ChildAction.title": ["What the agent works on.", "Read the changelogs"],
  "AgentType.description": ["When to choose the type, for the model.", "Reads a change"],
  "AgentType.inherit_dynamic_tools": [
    "True if the type's agents have the dynamic tools of their parent.",
    false,
  ],
  "AgentType.max_steps": [
    "Most model calls of a turn of the type's agents; null for the default.",
    20,
  ],
  "AgentType.model_id": [
    "The id of the model of the type's agents; null for that of their parent, which also replaces a model that is disabled or gone.",
    null,
  ],
  "AgentType.name": ["The name by which a call chooses the type.", "review"],
  "AgentType.prompt": [
    "Instructions for the model of the type's agents.",
    "Name each fault by its line.",
  ],
  "AgentType.tools": [
    "Names of the server's tools that the type's agents have; null for all that a child chat may have.",
    ["read_file"],
  ],
  "AgentTypesConfig.agent_types": AGENT_TYPES,
  "AgentTypesConfig.version": [
    "The version of the agent types, which goes up with each change.",
    3,
  ],
  "config.setAgentTypes.agent_types": AGENT_TYPES,
  "config.setAgentTypes.version": [
    "The version that was read: the agent types are then replaced only if they have not changed since, else the answer is 409. Without it they are replaced in any case.",
    3,
  ],
};
