import type { FieldText } from "./openapi-recipe-texts";

/** Of groups: by the name of a schema or an operation. */
export const GROUP_SPECIAL_FIELDS: Record<string, FieldText> = {
  "AutoSubmit.error": ["False if the turn rests when a call has failed.", true],
  "AutoSubmit.success": ["False if the turn rests when all calls have succeeded.", true],
  "Group.description": ["What the group is for, for people.", "Reviews a change"],
  "Group.name": ["The name by which chats choose the group.", "review"],
  "Group.tools": ["Names of the server's tools.", ["read_file"]],
  "GroupSummary.description": ["What the group is for, for people.", "Reviews a change"],
  "GroupSummary.name": ["The name by which chats choose the group.", "review"],
  "GroupSummary.tools": ["Names of the server's tools.", ["read_file"]],
  "Mentions.groups": ["Names of groups, of those that `GET /groups` lists.", ["review"]],
  "Mentions.tools": ["Names of tools, of those that `GET /tools` lists.", []],
  "GroupsConfig.groups": ["All groups of the server."],
  "GroupsConfig.version": ["The version of the groups, which goes up with each change.", 3],
  "config.setGroups.groups": ["All groups of the server."],
  "config.setGroups.version": [
    "The version that was read: the groups are then replaced only if they have not changed since, else the answer is 409. Without it they are replaced in any case.",
    3,
  ],
};

/** Of groups: fields that mean the same wherever they are. */
export const GROUP_FIELDS: Record<string, FieldText> = {
  groups: [
    "Names of the groups that the chat has chosen. With groups, the chat has their tools and those of `tools`, and no others.",
    [],
  ],
  include_default_prompt: ["False leaves out the server's own instructions.", true],
  mentions: [
    "Tools and groups that the chat gets with the message, besides those that it has. If the message waits in the queue, the chat gets them when the message leaves it.",
    { tools: [], groups: ["review"] },
  ],
  missing_tools: ["Those of the tools that the server does not have any more.", []],
  prompt: [
    "Instructions for the model while a chat has the group.",
    "Name each fault by its line.",
  ],
};
