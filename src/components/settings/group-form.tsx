import { useMemo } from "react";
import { FieldGroup } from "@/components/forms/field-group";
import { useFormFields } from "@/components/forms/use-form-fields";
import { Checkbox } from "@/components/ui/checkbox";
import { CODE_INPUT } from "@/components/ui/code-input";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import type { Group } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import {
  type GroupDraft,
  toGroup,
  toGroupDraft,
  toGroupProblem,
  toToolNames,
  validateGroupDraft,
} from "./group-draft";
import { SettingsForm } from "./settings-form";

export type ToolOption = { name: string; description: string };

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
  const { group, otherNames, tools, onSubmit, onCancel, isBusy, problem } = props;
  const form = useFormFields({
    initial: toGroupDraft(group),
    validate: (draft) => validateGroupDraft(draft, otherNames),
    isBusy,
    // Another object is another problem, which takes the focus.
    problem: useMemo(() => toGroupProblem(problem), [problem]),
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
        names={toToolNames(values)}
        first={group?.tools ?? []}
        tools={tools}
        error={findError("tools")}
        onChange={(names) => change("tools", names.join("\n"))}
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

type ToolBoxesProps = {
  /** Names that are listed first. */
  first: readonly string[];
  /** Chosen tools; one that the server does not have can only be removed. */
  names: readonly string[];
  tools: readonly ToolOption[];
  error: string | undefined;
  onChange: (names: string[]) => void;
};

const ToolBoxes = ({ first, names, tools, error, onChange }: ToolBoxesProps) => {
  const missing = names.filter((name) => !tools.some((tool) => tool.name === name));
  const options: readonly ToolOption[] = [
    ...missing.map((name) => ({
      name,
      description: "The server does not have this tool any more.",
    })),
    ...tools.filter(({ name }) => first.includes(name)),
    ...tools.filter(({ name }) => !first.includes(name)),
  ];
  return (
    <FieldGroup label="Tools" hint="A chat with this group has only these tools." error={error}>
      <div className="grid max-h-72 gap-3 overflow-y-auto rounded-md border bg-bg p-3">
        {options.map(({ name, description }) => (
          <Checkbox
            key={name}
            label={<code className="wrap-anywhere">{name}</code>}
            hint={<span className="line-clamp-2">{description}</span>}
            checked={names.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...names, name] : names.filter((other) => other !== name))
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
};
