import type { AgentType } from "@/contract/agent-type";
import { DeclaredRow, type DeclaredRowActions } from "./declared-row";

type AgentTypeRowProps = DeclaredRowActions & {
  agentType: AgentType;
  /** The name of its model; undefined without one of its own, or while it is not known. */
  modelName: string | undefined;
  /** Its tools that child chats cannot use any more. */
  missingTools: readonly string[];
  /** True for the first one. */
  isDefault: boolean;
  /** One type must remain. */
  isOnlyOne: boolean;
};

export const AgentTypeRow = (props: AgentTypeRowProps) => {
  const { agentType, modelName, missingTools, isDefault, isOnlyOne, ...actions } = props;
  const { name, description, tools, max_steps: maxSteps } = agentType;
  return (
    <DeclaredRow
      {...actions}
      name={name}
      description={description}
      tools={tools}
      title={name}
      facts={[
        ...(isDefault ? ["The default type"] : []),
        ...(agentType.inherit_dynamic_tools ? ["With the dynamic tools of the parent"] : []),
        ...(modelName === undefined ? [] : [`Model: ${modelName}`]),
        ...(maxSteps === null ? [] : [maxSteps === 1 ? "1 step" : `Up to ${maxSteps} steps`]),
        ...(isOnlyOne ? ["The only type cannot be deleted"] : []),
      ]}
      problem={
        missingTools.length === 0
          ? undefined
          : `Child chats cannot use these tools any more: ${missingTools.join(", ")}.`
      }
      deletion={isOnlyOne ? undefined : DELETION}
    />
  );
};

const DELETION = {
  message: "Agents can no longer be started with it; those that run go on. You cannot undo this.",
  confirmLabel: "Delete agent type",
};
