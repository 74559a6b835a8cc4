import type { PendingToolCall } from "@/contract/chat";
import { checkOutput } from "@/contract/check-output";
import type { FieldError } from "@/contract/problem";
import { asSentence } from "@/lib/as-sentence";
import { TextArea } from "@/components/ui/text-area";
import { problemSentence } from "./action-problems";
import { type AnswerMode, type Draft, formValue, parseJson } from "./draft";
import { formSchema } from "./form-schema";
import { SchemaForm } from "./schema-form";

type AnswerFieldsProps = {
  call: PendingToolCall;
  mode: AnswerMode;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Pointers are into the output. */
  problems: readonly FieldError[];
  disabled: boolean;
};

/** Where the output of one call is written. */
export const AnswerFields = (props: AnswerFieldsProps) => {
  const { call, mode, draft, onChange, problems, disabled } = props;
  if (draft.isError) return <ErrorText {...props} />;
  switch (mode) {
    case "form":
      return (
        <SchemaForm
          id={`answer-${call.tool_call_id}`}
          schema={formSchema(call.output_schema) ?? {}}
          value={formValue(call, draft)}
          onChange={(value) => onChange({ ...draft, form: value === undefined ? {} : { value } })}
          problems={problems}
          disabled={disabled}
        />
      );
    case "json":
      return <JsonText {...props} />;
    case "text":
      return <PlainText {...props} />;
  }
};

/** The field grows with its text; this is what it has from the start. */
const TALL = "[&_textarea]:min-h-20";

const PlainText = ({ draft, onChange, problems, disabled }: AnswerFieldsProps) => (
  <div className={TALL}>
    <TextArea
      label="Answer"
      labelHidden
      hint="Sent as it is; empty text is an answer too."
      value={draft.text}
      error={sentence(problems)}
      disabled={disabled}
      onChange={({ target }) => onChange({ ...draft, text: target.value })}
    />
  </div>
);

const ErrorText = ({ draft, onChange, problems, disabled }: AnswerFieldsProps) => (
  <div className={TALL}>
    <TextArea
      label="What went wrong"
      hint="The model reads this as the failure of its call."
      value={draft.errorText}
      error={sentence(problems)}
      disabled={disabled}
      onChange={({ target }) => onChange({ ...draft, errorText: target.value })}
    />
  </div>
);

/** JSON is checked while it is typed: it is hard to see what is missing. */
const JsonText = ({ call, draft, onChange, problems, disabled }: AnswerFieldsProps) => {
  const isBlank = draft.json.trim() === "";
  const live = isBlank ? [] : jsonProblems(call, draft.json);
  const error = sentence(live.length === 0 ? problems : live);
  const hint = isBlank
    ? "Any JSON value, such as true, 0, null or {}. Texts need quotes."
    : "Valid.";
  return (
    <div className={TALL}>
      <TextArea
        label="Answer as JSON"
        labelHidden
        // Only the server knows all rules: what it refuses is not to be called valid.
        hint={error === undefined ? hint : undefined}
        isMonospace
        spellCheck={false}
        autoComplete="off"
        value={draft.json}
        error={error}
        disabled={disabled}
        onChange={({ target }) => onChange({ ...draft, json: target.value })}
      />
    </div>
  );
};

const jsonProblems = (call: PendingToolCall, json: string): readonly FieldError[] => {
  const parsed = parseJson(json);
  return "problems" in parsed ? parsed.problems : checkOutput(call.output_schema, parsed.value);
};

/** The problems of one control in one line; "The answer is …" goes without saying. */
const sentence = (problems: readonly FieldError[]): string | undefined => {
  const [first] = problems;
  if (!first) return undefined;
  if (problems.length === 1 && first.pointer === "") return asSentence(first.message);
  return problems.map((problem) => asSentence(problemSentence(problem))).join(" ");
};
