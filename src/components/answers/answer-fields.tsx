import { clsx } from "clsx";
import type { AnswerableCall } from "@/contract/call";
import type { FieldError } from "@/contract/problem";
import { toSentence } from "@/lib/humanize";
import { TextArea } from "@/components/ui/text-area";
import { formatFieldError } from "./action-results";
import { type AnswerMode, checkJson, type Draft, getFormValue, isBlank } from "./draft";
import { parseJson } from "@/components/schema-form/parse-json";
import { EmptyChoice } from "@/components/schema-form/empty-choice";
import { explainMissingForm, toFormSchema } from "@/components/schema-form/to-form-schema";
import { toOutput } from "@/components/schema-form/form-value";
import { SchemaForm } from "@/components/schema-form/schema-form";

type AnswerFieldsProps = {
  call: AnswerableCall;
  mode: AnswerMode;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Pointers are into the output. */
  errors: readonly FieldError[];
  disabled: boolean;
};

/** The inputs for the output of one call. */
export const AnswerFields = (props: AnswerFieldsProps) => {
  const { mode, draft } = props;
  if (draft.isError) return <ErrorText {...props} />;
  switch (mode) {
    case "form":
      return <Fields {...props} />;
    case "json":
      return <JsonText {...props} />;
    case "text":
      return <PlainText {...props} />;
  }
};

const Fields = ({ call, draft, onChange, errors, disabled }: AnswerFieldsProps) => {
  const form = toFormSchema(call.output_schema) ?? {};
  const value = getFormValue(call, draft);
  return (
    <div className="grid grid-cols-1 gap-3">
      <SchemaForm
        id={`answer-${call.tool_call_id}`}
        schema={form}
        value={value}
        onChange={(next) => onChange({ ...draft, form: next === undefined ? {} : { value: next } })}
        errors={errors}
        disabled={disabled}
      />
      <EmptyChoice
        label="Send without any value"
        fieldLabel="Answer"
        isEmpty={isBlank(toOutput(form, value).value) ? draft.isEmpty : undefined}
        isReported={errors.some(({ pointer }) => pointer === "")}
        onChange={(isEmpty) => onChange({ ...draft, isEmpty })}
        disabled={disabled}
      />
    </div>
  );
};

/** Initial height; the field grows with its text. */
const MIN_HEIGHT = "[&_textarea]:min-h-20";

const PlainText = ({ call, draft, onChange, errors, disabled }: AnswerFieldsProps) => (
  <div className={clsx("grid grid-cols-1 gap-2", MIN_HEIGHT)}>
    <TextArea
      label="Answer"
      labelHidden
      hint="Sent as entered."
      value={draft.text}
      error={formatErrors(call, errors)}
      disabled={disabled}
      onChange={({ target }) => onChange({ ...draft, text: target.value, isEmpty: false })}
    />
    <EmptyChoice
      label="Leave empty on purpose"
      fieldLabel="Answer"
      isEmpty={draft.text === "" ? draft.isEmpty : undefined}
      isReported={errors.length > 0}
      onChange={(isEmpty) => onChange({ ...draft, isEmpty })}
      disabled={disabled}
    />
  </div>
);

const ErrorText = ({ call, draft, onChange, errors, disabled }: AnswerFieldsProps) => (
  <div className={MIN_HEIGHT}>
    <TextArea
      label="What went wrong"
      hint="The model reads this as the error of its call."
      value={draft.errorText}
      error={formatErrors(call, errors)}
      disabled={disabled}
      onChange={({ target }) => onChange({ ...draft, errorText: target.value })}
    />
  </div>
);

/** Validates JSON while it is typed, because syntax errors are hard to spot. */
const JsonText = ({ call, draft, onChange, errors, disabled }: AnswerFieldsProps) => {
  const isBlank = draft.json.trim() === "";
  const liveErrors = isBlank ? [] : validateJsonText(call, draft.json);
  const error = formatErrors(call, liveErrors.length === 0 ? errors : liveErrors);
  const reason = explainMissingForm(call.output_schema);
  const start = reason === undefined ? "" : `There is no form for this answer. ${reason} `;
  const hint = isBlank
    ? `${start}Enter any JSON value, such as true, 0, null or {}. Put text in quotes.`
    : "Valid JSON.";
  return (
    <div className={MIN_HEIGHT}>
      <TextArea
        label="Answer as JSON"
        labelHidden
        // The server may reject what is valid here, so "Valid JSON." is not shown with its error.
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

const validateJsonText = (call: AnswerableCall, json: string): readonly FieldError[] => {
  const parsed = parseJson(json);
  return "errors" in parsed ? parsed.errors : checkJson(call, json, parsed.value);
};

/** Formats the errors of one control in one line, without "The answer" as subject if it is the only one. */
const formatErrors = (
  { output_schema }: AnswerableCall,
  errors: readonly FieldError[],
): string | undefined => {
  const [first] = errors;
  if (!first) return undefined;
  if (errors.length === 1 && first.pointer === "") return toSentence(first.message);
  const form = toFormSchema(output_schema);
  return errors.map((error) => toSentence(formatFieldError(error, form))).join(" ");
};
