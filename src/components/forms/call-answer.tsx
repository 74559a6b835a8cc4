import { useId } from "react";
import type { PendingToolCall } from "@/contract/chat";
import type { FieldError } from "@/contract/problem";
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

type Way = AnswerMode | "error";
const WAY_LABEL: Record<AnswerMode, string> = { form: "Form", text: "Text", json: "JSON" };
const ERROR_WAY = { value: "error" as const, label: "Error", name: "Answer with an error" };

/** One pending call: what it asks, and where its answer is written. */
export const CallAnswer = ({ call, onChange, problems, disabled, ...props }: CallAnswerProps) => {
  const id = useId();
  const draft = props.draft ?? emptyDraft(call);
  const modes = answerModes(call);
  const mode = modes.includes(draft.mode) ? draft.mode : modes[0];
  const goTo = (way: Way) =>
    onChange(
      way === "error"
        ? { ...draft, mode, isError: true }
        : { ...switchMode(call, { ...draft, mode }, way), isError: false },
    );
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4 p-4">
      <div className="grid min-w-0 gap-2.5">
        <ToolCallHeading id={id} toolName={call.tool_name} description={call.description} />
        <div className="min-w-0 rounded-lg bg-surface px-3 py-2.5">
          <ArgumentsList args={call.args} />
        </div>
      </div>
      <div className="grid min-w-0 gap-3">
        <div className="flex min-h-8 items-center justify-between gap-2">
          <h4 className="text-sm font-semibold whitespace-nowrap">Your answer</h4>
          <ModeSwitch<Way>
            label="Answer with"
            options={[...modes.map((value) => ({ value, label: WAY_LABEL[value] })), ERROR_WAY]}
            value={draft.isError ? "error" : mode}
            onChange={goTo}
            disabled={disabled}
          />
        </div>
        <AnswerFields
          call={call}
          mode={mode}
          draft={draft}
          onChange={onChange}
          problems={problems}
          disabled={disabled}
        />
      </div>
    </section>
  );
};
