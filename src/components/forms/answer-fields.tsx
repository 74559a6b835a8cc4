import type { PendingToolCall } from "@/contract/chat";
import type { FieldError } from "@/contract/problem";
import { toSentence } from "@/lib/humanize";
import { TextArea } from "@/components/ui/text-area";
import { formatFieldError } from "./action-results";
import { type AnswerMode, type Draft, getFormValue, parseJson } from "./draft";
import { toFormSchema } from "./form-schema";
import { SchemaForm } from "./schema-form";
import { validateOutput } from "./validate-subschema";

type AnswerFieldsProps = {
  call: PendingToolCall;
  mode: AnswerMode;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Pointers are into the output. */
  errors: readonly FieldError[];
  disabled: boolean;
};

/** The inputs for the output of one call. */
export const AnswerFields = (props: AnswerFieldsProps) => {
  const { call, mode, draft, onChange, errors, disabled } = props;
  if (draft.isError) return <ErrorText {...props} />;
  switch (mode) {
    case "form":
      return (
        <SchemaForm
          id={`answer-${call.tool_call_id}`}
          schema={toFormSchema(call.output_schema) ?? {}}
          value={getFormValue(call, draft)}
          onChange={(value) => onChange({ ...draft, form: value === undefined ? {} : { value } })}
          errors={errors}
          disabled={disabled}
        />
      );
    case "json":
      return <JsonText {...props} />;
    case "text":
      return <PlainText {...props} />;
  }
};

/** Initial height; the field grows with its text. */
const MIN_HEIGHT = "[&_textarea]:min-h-20";

const PlainText = ({ draft, onChange, errors, disabled }: AnswerFieldsProps) => (
  <div className={MIN_HEIGHT}>
    <TextArea
      label="Answer"
      labelHidden
      hint="Sent as entered. You may send empty text."
      value={draft.text}
      error={formatErrors(errors)}
      disabled={disabled}
      onChange={({ target }) => onChange({ ...draft, text: target.value })}
    />
  </div>
);

const ErrorText = ({ draft, onChange, errors, disabled }: AnswerFieldsProps) => (
  <div className={MIN_HEIGHT}>
    <TextArea
      label="What went wrong"
      hint="The model reads this as the error of its call."
      value={draft.errorText}
      error={formatErrors(errors)}
      disabled={disabled}
      onChange={({ target }) => onChange({ ...draft, errorText: target.value })}
    />
  </div>
);

/** Validates JSON while it is typed, because syntax errors are hard to spot. */
const JsonText = ({ call, draft, onChange, errors, disabled }: AnswerFieldsProps) => {
  const isBlank = draft.json.trim() === "";
  const liveErrors = isBlank ? [] : validateJsonText(call, draft.json);
  const error = formatErrors(liveErrors.length === 0 ? errors : liveErrors);
  const hint = isBlank
    ? "Enter any JSON value, such as true, 0, null or {}. Put text in quotes."
    : "Valid.";
  return (
    <div className={MIN_HEIGHT}>
      <TextArea
        label="Answer as JSON"
        labelHidden
        // The server may reject what is valid here, so "Valid." is not shown beside its error.
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

const validateJsonText = (call: PendingToolCall, json: string): readonly FieldError[] => {
  const parsed = parseJson(json);
  return "errors" in parsed ? parsed.errors : validateOutput(call.output_schema, parsed.value);
};

/** Formats the errors of one control in one line, without "The answer" as subject if it is the only one. */
const formatErrors = (errors: readonly FieldError[]): string | undefined => {
  const [first] = errors;
  if (!first) return undefined;
  if (errors.length === 1 && first.pointer === "") return toSentence(first.message);
  return errors.map((error) => toSentence(formatFieldError(error))).join(" ");
};
