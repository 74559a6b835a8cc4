import type { PendingToolCall } from "@/contract/chat";
import { completeOutput } from "./complete-output";
import { type AnswerMode, type Draft, formValue, parseJson } from "./draft";
import { formSchema } from "./form-schema";

/** The draft in another mode, with what was written carried over where it has a counterpart there. */
export const switchMode = (call: PendingToolCall, draft: Draft, mode: AnswerMode): Draft => {
  if (mode === draft.mode) return draft;
  if (mode === "form") return { ...draft, mode, form: formOfJson(draft) };
  if (mode === "json" && draft.json.trim() === "") {
    return { ...draft, mode, json: jsonOf(call, draft) };
  }
  return { ...draft, mode };
};

const formOfJson = (draft: Draft): Draft["form"] => {
  const parsed = parseJson(draft.json);
  return "value" in parsed ? { value: parsed.value } : draft.form;
};

const jsonOf = (call: PendingToolCall, draft: Draft): string => {
  if (draft.mode === "text") return draft.text === "" ? "" : JSON.stringify(draft.text);
  const schema = formSchema(call.output_schema);
  const value = schema && completeOutput(schema, formValue(call, draft));
  return value === undefined ? "" : JSON.stringify(value, null, 2);
};
