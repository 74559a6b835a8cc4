import * as z from "zod";
import { Text } from "./content";
import { DeclaredName, isUnique, refuseDuplicateNames, ToolNames } from "./declared-name";
import { DynamicTools } from "./dynamic-tool";
import { MAX_DECLARED_PROMPT_LENGTH } from "./limits";

/** Groups are completed while a person types, so all of them are sent to the browser. */
const MAX_GROUPS = 100;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** Names of groups that a chat chooses. */
export const GroupNames = z
  .array(Text)
  .max(MAX_GROUPS)
  .refine(isUnique, "must not name a group twice");

/** What a message chooses for its chat when it enters the history, in addition to what the chat has by then. */
export const Mentions = z
  .strictObject({ tools: ToolNames.default([]), groups: GroupNames.default([]) })
  .meta({ id: "Mentions" });
export type Mentions = z.infer<typeof Mentions>;

/** Tools and instructions that a chat chooses together. */
export const Group = z
  .strictObject({
    name: DeclaredName,
    description: Text.max(MAX_DESCRIPTION_LENGTH).default(""),
    tools: ToolNames,
    /** Tools that clients run. A chat that gets the group gets them as they are then. */
    dynamic_tools: DynamicTools.default([]),
    prompt: Text.max(MAX_DECLARED_PROMPT_LENGTH).default(""),
    /** False leaves the server's own instructions out of the prompt of chats that have chosen the group. */
    include_default_prompt: z.boolean().default(true),
  })
  .meta({ id: "Group" });
export type Group = z.infer<typeof Group>;

export const GroupsConfig = z
  .strictObject({
    groups: z
      .array(Group)
      .max(MAX_GROUPS, `must be at most ${MAX_GROUPS} groups`)
      .superRefine(refuseDuplicateNames),
    /** Goes up with each change. */
    version: z.int().min(0),
  })
  .meta({ id: "GroupsConfig" });
export type GroupsConfig = z.infer<typeof GroupsConfig>;

/** With the version that was read, the groups are replaced only if they have not changed since. */
export const GroupsInput = GroupsConfig.partial({ version: true });
export type GroupsInput = z.infer<typeof GroupsInput>;

/** A group as everybody may see it. */
export const GroupSummary = z
  .object({
    name: z.string(),
    description: z.string(),
    tools: z.array(z.string()),
    /** Its tools that the server does not have any more. */
    missing_tools: z.array(z.string()),
    /** Names of its tools that clients run. */
    dynamic_tools: z.array(z.string()),
  })
  .meta({ id: "GroupSummary" });
export type GroupSummary = z.infer<typeof GroupSummary>;

export const GroupList = z.object({ data: z.array(GroupSummary) });
export type GroupList = z.infer<typeof GroupList>;
