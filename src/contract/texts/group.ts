import type {
  Group,
  GroupList,
  GroupSummary,
  GroupsConfig,
  GroupsInput,
  Mentions,
} from "@/contract/group";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

const GROUP = {
  name: ["The name by which chats choose the group.", "review"],
  description: ["What the group is for, for people.", "Reviews a change"],
  tools: ["Names of the server's tools.", ["read_file"]],
} as const satisfies Record<string, FieldText>;

export const GROUP_TEXTS = {
  Mentions: {
    tools: ["Names of tools, of those that `GET /tools` lists.", []],
    groups: ["Names of groups, of those that `GET /groups` lists.", ["review"]],
  } satisfies FieldTexts<Mentions>,
  GroupSummary: {
    ...GROUP,
    dynamic_tools: ["Names of the group's tools that clients run.", ["approve_refund"]],
    missing_tools: ["Those of the tools that the server does not have any more.", []],
  } satisfies FieldTexts<GroupSummary>,
  GroupsConfig: {
    groups: ["All groups of the server."],
    version: ["The version of the groups, which goes up with each change.", 3],
  } satisfies FieldTexts<GroupsConfig>,
  Group: {
    ...GROUP,
    dynamic_tools: [
      "Tools that clients run. A chat that gets the group gets them as they are then, and keeps them so. Their names must not be those of tools of the server.",
      [{ name: "approve_refund" }],
    ],
    prompt: [
      "Instructions for the model while a chat has the group.",
      "Name each fault by its line.",
    ],
    include_default_prompt: ["False leaves out the server's own instructions.", true],
  } satisfies FieldTexts<Group>,
  "groups.list": {
    data: ["The groups."],
  } satisfies FieldTexts<GroupList>,
  "config.setGroups": {
    groups: ["All groups of the server."],
    version: [
      "The version that was read: the groups are then replaced only if they have not changed since, else the answer is 409. Without it they are replaced in any case.",
      3,
    ],
  } satisfies FieldTexts<GroupsInput>,
} satisfies SchemaTexts;
