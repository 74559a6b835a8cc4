import * as z from "zod";
import { Text } from "./content";
import { DeclaredName, refuseDuplicateNames, ToolNames } from "./declared-name";
import {
  MAX_AGENT_TYPE_DESCRIPTION_LENGTH,
  MAX_AGENT_TYPES,
  MAX_DECLARED_PROMPT_LENGTH,
  MAX_STEPS_PER_TURN,
} from "./limits";

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

/** The agent types that ship and have a list of tools, to which the file of a tool adds it. */
export type ShippedAgentType = "explore";

const SHIPPED = { model_id: null, max_steps: null, inherit_dynamic_tools: false };

/**
 * Creates the agent types that are used until an administrator saves others.
 *
 * @param exploreTools the names of the tools that change nothing, start nothing and ask no questions.
 */
export const createShippedAgentTypes = (exploreTools: readonly string[]): AgentTypesConfig => ({
  agent_types: [
    {
      ...SHIPPED,
      name: "general",
      description: "Does a whole piece of work: reads, writes, runs commands.",
      prompt:
        "Do all of the task that you are given. Report what you did, what came of it and what is left.",
      tools: null,
    },
    {
      ...SHIPPED,
      name: "explore",
      description: "Finds things out in files and on the web, and changes nothing.",
      prompt:
        "Find out what you are asked, and change nothing. Report what you found, with the files, lines and addresses that it rests on, and what you did not find.",
      tools: [...exploreTools],
    },
  ],
  version: 0,
});
