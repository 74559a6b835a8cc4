import type { Group } from "@/contract/group";
import { DeclaredRow, type DeclaredRowActions } from "./declared-row";

type GroupRowProps = DeclaredRowActions & {
  group: Group;
  /** Its tools that the server does not have any more. */
  missingTools: readonly string[];
};

export const GroupRow = ({ group, missingTools, ...actions }: GroupRowProps) => {
  const { name, description, tools, include_default_prompt: hasDefaultPrompt } = group;
  return (
    <DeclaredRow
      {...actions}
      name={name}
      description={description}
      tools={tools}
      title={`@${name}`}
      facts={hasDefaultPrompt ? [] : ["Without the server's own instructions"]}
      problem={
        missingTools.length === 0
          ? undefined
          : `The server does not have these tools any more: ${missingTools.join(", ")}.`
      }
      deletion={DELETION}
    />
  );
};

const DELETION = {
  message: "Chats that have chosen it lose its tools and instructions. You cannot undo this.",
  confirmLabel: "Delete group",
};
