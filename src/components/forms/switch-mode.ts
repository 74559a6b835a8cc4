import type { PendingToolCall } from "@/contract/chat";
import { completeOutput } from "./complete-output";
import { type AnswerMode, type Draft, getFormValue, parseJson } from "./draft";
import { toFormSchema } from "./form-schema";

/** Switches the mode of a draft and converts the input between fields and JSON. */
export const switchMode = (call: PendingToolCall, draft: Draft, mode: AnswerMode): Draft => {
  if (mode === draft.mode) return draft;
  if (mode === "form") return { ...draft, mode, form: toForm(draft) };
  if (mode === "json" && draft.json.trim() === "") {
    return { ...draft, mode, json: toJsonText(call, draft) };
  }
  return { ...draft, mode };
};

const toForm = (draft: Draft): Draft["form"] => {
  const parsed = parseJson(draft.json);
  return "value" in parsed ? { value: parsed.value } : draft.form;
};

const toJsonText = (call: PendingToolCall, draft: Draft): string => {
  if (draft.mode === "text") return draft.text === "" ? "" : JSON.stringify(draft.text);
  const schema = toFormSchema(call.output_schema);
  const value = schema && completeOutput(schema, getFormValue(call, draft));
  return value === undefined ? "" : JSON.stringify(value, null, 2);
};
