import { useMemo } from "react";
import { useFormFields } from "@/components/ui/use-form-fields";
import { Checkbox } from "@/components/ui/checkbox";
import { CODE_INPUT } from "@/components/ui/code-input";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import type { Group } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import {
  formatToolNames,
  parseToolNames,
  toItemProblem,
  validateDeclaredName,
} from "./declared-draft";
import { type GroupDraft, toGroup, toGroupDraft } from "./group-draft";
import { SettingsForm } from "./settings-form";
import { ToolBoxes, type ToolOption } from "./tool-boxes";

type GroupFormProps = {
  /** The group that is changed; undefined for a new one. */
  group: Group | undefined;
  /** The names of the other groups. */
  otherNames: readonly string[];
  tools: readonly ToolOption[];
  onSubmit: (group: Group) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
};

/** Asks for what a group consists of. */
export const GroupForm = (props: GroupFormProps) => {
  const { group, otherNames, tools, onSubmit, onCancel, isBusy } = props;
  // Another object is another problem, which takes the focus.
  const problem = useMemo(() => toItemProblem(props.problem), [props.problem]);
  const form = useFormFields({
    initial: toGroupDraft(group),
    validate: ({ name }) => ({
      name: validateDeclaredName(name, { otherNames, noun: "group" }),
    }),
    isBusy,
    problem,
    onSubmit: (draft) => onSubmit(toGroup(draft)),
  });
  const { formRef, handleSubmit, values, change, textField, findError } = form;
  return (
    <SettingsForm
      ref={formRef}
      onSubmit={handleSubmit}
      label={group ? `Edit ${group.name}` : "New group"}
      onCancel={onCancel}
      isBusy={isBusy}
      problem={problem}
      problemTitle="The group was not saved"
    >
      <NameFields isNew={!group} textField={textField} />
      <ToolBoxes
        hint="A chat with this group has only these tools."
        missingText="The server does not have this tool any more."
        names={parseToolNames(values.tools)}
        first={group?.tools ?? []}
        tools={tools}
        error={findError("tools")}
        onChange={(names) => change("tools", formatToolNames(names))}
      />
      <TextArea
        label="Instructions"
        hint="Added to the prompt of chats that have chosen the group."
        {...textField("prompt")}
      />
      <Checkbox
        label="Keep the server's own instructions"
        hint="They tell the model how to write, to answer in the language of the person, and not to invent results of tools."
        checked={values.include_default_prompt === "yes"}
        onChange={({ target }) => change("include_default_prompt", target.checked ? "yes" : "no")}
      />
    </SettingsForm>
  );
};

type Fields = ReturnType<typeof useFormFields<GroupDraft>>;

const NameFields = ({ isNew, textField }: Pick<Fields, "textField"> & { isNew: boolean }) => (
  <>
    <TextField
      label="Name"
      hint="People write it after an @ in a message. If you change it, chats that have chosen the group lose it."
      autoFocus={isNew}
      {...CODE_INPUT}
      {...textField("name")}
    />
    <TextField
      label="Description"
      hint="What the group is for. People see it when they choose a group."
      {...textField("description")}
    />
  </>
);
