import type { AnswerableCall } from "@/contract/call";
import { type AnswerMode, type Draft, getFormValue, isBlank } from "./draft";
import { parseJson } from "@/components/schema-form/parse-json";
import { toFormSchema } from "@/components/schema-form/to-form-schema";
import { toOutput } from "@/components/schema-form/form-value";

/** Switches the mode of a draft and converts the input between fields and JSON. */
export const switchMode = (call: AnswerableCall, draft: Draft, mode: AnswerMode): Draft => {
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

const toJsonText = (call: AnswerableCall, draft: Draft): string => {
  if (draft.mode === "text") return draft.text === "" ? "" : JSON.stringify(draft.text);
  const form = toFormSchema(call.output_schema);
  const value = form && toOutput(form, getFormValue(call, draft)).value;
  return value === undefined || isBlank(value) ? "" : JSON.stringify(value, null, 2);
};
