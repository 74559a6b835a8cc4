import { useId } from "react";
import type { AnswerableCall } from "@/contract/call";
import type { FieldError } from "@/contract/problem";
import { AnswerFields } from "./answer-fields";
import { ArgumentsList } from "@/components/approvals/arguments-list";
import { type AnswerMode, listAnswerModes, type Draft, createDraft } from "./draft";
import { RefusalNote } from "@/components/questions/question-refusal";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { switchMode } from "./switch-mode";
import { ToolCallHeading } from "@/components/approvals/tool-call-heading";

type CallAnswerProps = {
  call: AnswerableCall;
  draft: Draft | undefined;
  onChange: (draft: Draft) => void;
  /** Pointers are into the output. */
  errors: readonly FieldError[];
  disabled: boolean;
};

type AnswerTab = AnswerMode | "error";
const TAB_LABEL: Record<AnswerMode, string> = { form: "Form", text: "Text", json: "JSON" };
const ERROR_TAB = { value: "error" as const, label: "Error", name: "Answer with an error" };

/** One pending call with its arguments and the inputs for its answer. */
export const CallAnswer = ({ call, onChange, errors, disabled, ...props }: CallAnswerProps) => {
  const id = useId();
  const draft = props.draft ?? createDraft(call);
  const modes = listAnswerModes(call);
  const mode = modes.includes(draft.mode) ? draft.mode : modes[0];
  const tabs = modes.map((value) => ({ value, label: TAB_LABEL[value] }));
  const selectTab = (tab: AnswerTab) =>
    onChange(
      tab === "error"
        ? { ...draft, mode, isError: true }
        : { ...switchMode(call, { ...draft, mode }, tab), isError: false },
    );
  return (
    <section
      aria-labelledby={id}
      data-call-id={call.tool_call_id}
      className="grid min-w-0 gap-4 p-4"
    >
      <div className="grid min-w-0 gap-2">
        <ToolCallHeading id={id} toolName={call.tool_name} description={call.description} />
        <div className="min-w-0 rounded-lg bg-surface px-3 py-3">
          <ArgumentsList args={call.args} />
        </div>
      </div>
      <div className="grid min-w-0 gap-3">
        <div className="flex min-h-8 items-center justify-between gap-2">
          <h4 className="text-sm font-semibold whitespace-nowrap">Your answer</h4>
          <SegmentedControl<AnswerTab>
            label="Answer with"
            // A question of a server is refused with a button.
            options={call.elicitation ? tabs : [...tabs, ERROR_TAB]}
            value={draft.isError ? "error" : mode}
            onChange={selectTab}
            disabled={disabled}
          />
        </div>
        {draft.refusal && (
          <RefusalNote
            refusal={draft.refusal}
            onRevoke={() => onChange({ ...draft, refusal: undefined })}
            isDisabled={disabled}
          />
        )}
        <div data-answer hidden={draft.refusal !== undefined}>
          <AnswerFields
            call={call}
            mode={mode}
            draft={draft}
            onChange={onChange}
            errors={errors}
            disabled={disabled}
          />
        </div>
      </div>
    </section>
  );
};
