import { useId } from "react";
import type { PendingToolCall } from "@/contract/chat";
import type { FieldError } from "@/contract/problem";
import { Checkbox } from "@/components/ui/checkbox";
import { AnswerFields } from "./answer-fields";
import { ArgumentsList } from "./arguments-list";
import { type AnswerMode, answerModes, type Draft, emptyDraft } from "./draft";
import { ModeSwitch } from "./mode-switch";
import { switchMode } from "./switch-mode";
import { ToolCallHeading } from "./tool-call-heading";

type CallAnswerProps = {
  call: PendingToolCall;
  draft: Draft | undefined;
  onChange: (draft: Draft) => void;
  /** Pointers are into the output. */
  problems: readonly FieldError[];
  disabled: boolean;
};

const MODE_LABEL: Record<AnswerMode, string> = { form: "Form", text: "Text", json: "JSON" };

/** One pending call: what it asks, and where its answer is written. */
export const CallAnswer = ({ call, onChange, problems, disabled, ...props }: CallAnswerProps) => {
  const id = useId();
  const draft = props.draft ?? emptyDraft(call);
  const modes = answerModes(call);
  const mode = modes.includes(draft.mode) ? draft.mode : modes[0];
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4 px-4 py-4">
      <div className="grid min-w-0 gap-3">
        <ToolCallHeading id={id} toolName={call.tool_name} description={call.description} />
        <ArgumentsList args={call.args} />
      </div>
      <div className="grid min-w-0 gap-4 rounded-lg border bg-bg p-3.5">
        {!draft.isError && (
          <ModeSwitch
            label="Answer with"
            options={modes.map((value) => ({ value, label: MODE_LABEL[value] }))}
            value={mode}
            onChange={(next) => onChange(switchMode(call, { ...draft, mode }, next))}
            disabled={disabled}
          />
        )}
        <AnswerFields
          call={call}
          mode={mode}
          draft={draft}
          onChange={onChange}
          problems={problems}
          disabled={disabled}
        />
        <div className="border-t pt-3">
          <Checkbox
            label="Answer with an error"
            checked={draft.isError}
            disabled={disabled}
            onChange={({ target }) => onChange({ ...draft, isError: target.checked })}
          />
        </div>
      </div>
    </section>
  );
};
