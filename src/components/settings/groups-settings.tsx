"use client";
import { Group, type GroupsConfig } from "@/contract/group";
import { RemovableItems } from "@/components/schema-form/removable-items";
import { DeclaredList, type DeclaredListProps } from "./declared-list";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { ToolBoxes, type ToolOption } from "./tool-boxes";

/** Lists the groups of the server, adds, changes and deletes them. */
export const GroupsSettings = (props: DeclaredListProps<GroupsConfig>) => (
  <DeclaredList
    {...props}
    {...GROUP_FIELDS}
    listKey="groups"
    title="Groups"
    lead="Tools and instructions that belong together. A person chooses a group for a chat by writing @ and its name."
    noun="group"
    nameTaken="There is a group with this name already."
    getTitle={({ name }) => `@${name}`}
    listFacts={({ include_default_prompt: hasPrompt, dynamic_tools: dynamic }) => [
      ...(dynamic.length > 0 ? [`Brings ${nameTools(dynamic)}`] : []),
      ...(hasPrompt ? [] : ["Without the server's own instructions"]),
    ]}
    missingTools="The server does not have these tools any more:"
    deletion="Chats that have chosen it lose its tools and instructions."
  />
);

const nameTools = (tools: Group["dynamic_tools"]): string => {
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  return `${count} of its own: ${tools.map(({ name }) => name).join(", ")}`;
};

const listParts = (group: Group | undefined, options: readonly ToolOption[]): FormPart[] => [
  {
    path: "name",
    label: "Name",
    hint: "People write it after an @ in a message. If you change it, chats that have chosen the group lose it.",
    control: "code",
    autoFocus: !group,
  },
  {
    path: "description",
    label: "Description",
    hint: "What the group is for. People see it when they choose a group.",
    control: "line",
  },
  {
    path: "tools",
    label: "Tools",
    render: (control) => (
      <ToolBoxes
        {...control}
        hint="A chat with this group has only these tools of the server."
        missingText="The server does not have this tool any more."
        first={group?.tools ?? []}
        tools={options}
      />
    ),
  },
  {
    path: "dynamic_tools",
    label: "Its own tools",
    render: ({ value, onChange, error }) => {
      const own = Group.shape.dynamic_tools.safeParse(value).data ?? [];
      return (
        <RemovableItems
          label="Its own tools"
          hint="Answered by people or programs, and kept from the playground. Chats that have the group already keep them."
          empty="None. “Keep as a group” in the playground adds one."
          items={own}
          error={error}
          onRemove={(index) =>
            onChange(Array.isArray(value) ? value.filter((_, place) => place !== index) : [])
          }
        />
      );
    },
  },
  {
    path: "prompt",
    label: "Instructions",
    hint: "Added to the prompt of chats that have chosen the group.",
    control: "lines",
  },
  {
    path: "include_default_prompt",
    label: "Keep the server's own instructions",
    hint: "They tell the model how to write, to answer in the language of the person, and not to invent results of tools.",
    control: "checkbox",
  },
];

export const GROUP_FIELDS = { schema: Group, blank: { tools: [] }, parts: listParts };
