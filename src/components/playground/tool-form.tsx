import { type SubmitEvent, useRef } from "react";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import type { ToolDraft, ToolErrors, ToolField } from "./tool-draft";
import { TOOL_EXAMPLES } from "./tool-examples";

type ToolFormProps = {
  draft: ToolDraft;
  onChange: (draft: ToolDraft) => void;
  errors: ToolErrors;
  onStart: () => void;
  isStarting: boolean;
  /** Why the chat was not started, if no field is at fault. */
  failure: string | undefined;
};

const JSON_PROPS = { isMonospace: true, spellCheck: false, rows: 6 };

/** The fields of a dynamic tool, and the chat to try it in. */
export const ToolForm = ({ draft, onChange, errors, onStart, ...state }: ToolFormProps) => {
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
    else if (!state.isStarting) onStart();
  };
  return (
    <form ref={form} noValidate onSubmit={handleSubmit} aria-label="Tool" className="grid gap-4">
      <ExampleButtons onChange={onChange} />
      <TextField label="Name" autoComplete="off" spellCheck={false} {...field("name")} />
      <TextArea
        label="Description"
        hint="Tells the model what the tool does and when to call it."
        {...field("description")}
      />
      <TextArea
        label="Input schema"
        hint="A JSON Schema of the arguments that the model gives."
        {...JSON_PROPS}
        {...field("inputSchema")}
      />
      <TextArea
        label="Output schema"
        hint="A JSON Schema of the answer. The form in the chat is made from it."
        {...JSON_PROPS}
        {...field("outputSchema")}
      />
      <TextArea
        label="First message"
        hint="The demo model calls a tool that the message names."
        {...field("message")}
      />
      <TextArea
        label="Answer of your program"
        hint="JSON, for the code only. In the chat, you answer in the form."
        {...JSON_PROPS}
        rows={3}
        {...field("answer")}
      />
      <FailureAlert title="The chat was not started" detail={state.failure} />
      <div>
        <Button type="submit" variant="primary" isBusy={state.isStarting}>
          Start a chat with it
        </Button>
      </div>
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
