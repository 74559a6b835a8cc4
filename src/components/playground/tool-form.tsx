import { type SubmitEvent, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CODE_INPUT } from "@/components/ui/code-input";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import { JsonArea } from "./json-area";
import type { ToolDraft, ToolErrors, ToolField } from "./tool-draft";
import { TOOL_EXAMPLES } from "./tool-examples";

type ToolFormProps = {
  /** For the button that starts the chat, which stands outside of the form. */
  id: string;
  draft: ToolDraft;
  onChange: (draft: ToolDraft) => void;
  errors: ToolErrors;
  onStart: () => void;
  isStarting: boolean;
};

/** The fields of a dynamic tool, and the first message of the chat to try it in. */
export const ToolForm = (props: ToolFormProps) => {
  const { id, draft, onChange, errors, onStart, isStarting } = props;
  const form = useRef<HTMLFormElement>(null);
  const field = (name: ToolField) => ({
    value: draft[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...draft, [name]: target.value }),
  });
  const handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const invalid = form.current?.querySelector<HTMLElement>("[aria-invalid]");
    if (invalid) invalid.focus();
    else if (!isStarting) onStart();
  };
  return (
    <form
      ref={form}
      id={id}
      noValidate
      onSubmit={handleSubmit}
      aria-label="Tool"
      className="grid gap-4"
    >
      <ExampleButtons onChange={onChange} />
      <TextField label="Name" {...CODE_INPUT} {...field("name")} />
      <TextArea
        label="Description"
        hint="Tells the model what the tool does and when to call it."
        {...field("description")}
      />
      <JsonArea
        label="Input schema"
        hint="A JSON Schema of the arguments that the model gives."
        {...field("inputSchema")}
      />
      <JsonArea
        label="Output schema"
        hint="A JSON Schema of the answer. The form is made from it."
        {...field("outputSchema")}
      />
      <TextArea
        label="First message"
        hint="The demo model calls a tool that the message names."
        {...field("message")}
      />
    </form>
  );
};

const ExampleButtons = ({ onChange }: Pick<ToolFormProps, "onChange">) => (
  <div role="group" aria-label="Examples" className="flex flex-wrap items-center gap-2">
    <span className="text-muted">Start from an example:</span>
    {TOOL_EXAMPLES.map(({ title, draft }) => (
      <Button key={title} size="sm" onClick={() => onChange(draft)}>
        {title}
      </Button>
    ))}
  </div>
);
