import * as z from "zod";
import { Text } from "./content";
import { DeclaredName, refuseDuplicateNames, ToolNames } from "./declared-name";
import {
  MAX_AGENT_TYPE_DESCRIPTION_LENGTH,
  MAX_AGENT_TYPES,
  MAX_DECLARED_PROMPT_LENGTH,
  MAX_STEPS_PER_TURN,
} from "./limits";
import { BUILTIN_TOOL_NAMES, type BuiltinToolName } from "./tool-outputs";

/** What a chat may choose for an agent that it starts. */
export const AgentType = z
  .strictObject({
    name: DeclaredName,
    /** When to choose it, for the model. */
    description: Text.max(MAX_AGENT_TYPE_DESCRIPTION_LENGTH).default(""),
    /** In the prompt of its agents. */
    prompt: Text.max(MAX_DECLARED_PROMPT_LENGTH).default(""),
    /** Null for all that a child chat may have. */
    tools: ToolNames.nullable().default(null),
    /** Null for the model of the parent, which also replaces one that is disabled or deleted later. */
    model_id: z.uuid().nullable().default(null),
    /** Most steps of a turn; null for the default of chats. */
    max_steps: z.int().min(1).max(MAX_STEPS_PER_TURN).nullable().default(null),
    /** True if its children have the dynamic tools of their parent. */
    inherit_dynamic_tools: z.boolean().default(false),
  })
  .meta({ id: "AgentType" });
export type AgentType = z.infer<typeof AgentType>;

export const AgentTypesConfig = z
  .strictObject({
    agent_types: z
      .array(AgentType)
      .min(1, "must have at least one agent type")
      .max(MAX_AGENT_TYPES, `must be at most ${MAX_AGENT_TYPES} agent types`)
      .superRefine(refuseDuplicateNames),
    /** Goes up with each change. */
    version: z.int().min(0),
  })
  .meta({ id: "AgentTypesConfig" });
export type AgentTypesConfig = z.infer<typeof AgentTypesConfig>;

/** With the version that was read, the agent types are replaced only if they have not changed since. */
export const AgentTypesInput = AgentTypesConfig.partial({ version: true });
export type AgentTypesInput = z.infer<typeof AgentTypesInput>;

/** The built-in tools that `explore` has: those that change nothing, start nothing and ask nobody. */
const IS_EXPLORING: Record<BuiltinToolName, boolean> = {
  advisor: false,
  append_file: false,
  ask_user_question: false,
  current_time: true,
  delegate: false,
  delete_file: false,
  deliver_file: false,
  edit_file: false,
  exec: false,
  interrupt_agent: false,
  list_agents: false,
  list_directory: true,
  load_image: true,
  message_agent: false,
  move_file: false,
  read_file: true,
  save_artifact: false,
  search_files: true,
  set_timer: false,
  spawn_agent: false,
  task_cancel: false,
  task_status: false,
  todo_write: false,
  wait_agent: false,
  web_fetch: true,
  web_search: true,
  write_file: false,
};

/** Used until an administrator saves others. */
export const DEFAULT_AGENT_TYPES: AgentTypesConfig = AgentTypesConfig.parse({
  agent_types: [
    {
      name: "general",
      description: "Does a whole piece of work: reads, writes, runs commands.",
      prompt:
        "Do all of the task that you are given. Report what you did, what came of it and what is left.",
    },
    {
      name: "explore",
      description: "Finds things out in files and on the web, and changes nothing.",
      prompt:
        "Find out what you are asked, and change nothing. Report what you found, with the files, lines and addresses that it rests on, and what you did not find.",
      tools: BUILTIN_TOOL_NAMES.filter((name) => IS_EXPLORING[name]),
    },
  ],
  version: 0,
});
