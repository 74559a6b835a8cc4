import * as z from "zod";
import type { AnswerableCall } from "@/contract/call";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import { isJsonObject } from "@/contract/is-json-object";
import { JsonValue, validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import type { FieldError } from "@/contract/problem";
import { isConstraining, toFormSchema } from "@/components/schema-form/to-form-schema";
import { checkOutput, toOutput } from "@/components/schema-form/form-value";
import { createInitialValue } from "@/components/schema-form/initial-value";
import { type ParsedOutput, parseJson, toFailure } from "@/components/schema-form/parse-json";

/** How an answer is entered: in fields of the tool's schema, as plain text, or as JSON. */
export const AnswerMode = z.enum(["form", "text", "json"]);
export type AnswerMode = z.infer<typeof AnswerMode>;

/** An unsent answer. Each mode keeps its own input while another mode is used. */
export const Draft = z.object({
  mode: AnswerMode,
  /** The value of the fields: null until one is changed, without `value` if all were cleared. */
  form: z.object({ value: JsonValue.optional() }).nullable(),
  text: z.string(),
  /** Whether to send empty text, or a form without any value. Nothing empty is sent otherwise. */
  isEmpty: z.boolean(),
  json: z.string(),
  isError: z.boolean(),
  errorText: z.string(),
  /** Which question of the call it answers, for a call whose server asks. */
  question: z.number().optional(),
  /** Instead of an answer to that question. */
  refusal: z.enum(["decline", "cancel"]).optional(),
});
export type Draft = z.infer<typeof Draft>;

/** By `tool_call_id`; an untouched call has no draft. */
const Drafts = z.record(z.string(), Draft);
export type Drafts = z.infer<typeof Drafts>;

const DraftsByMessage = z.record(z.string(), Drafts);

/** @returns undefined for a value that another version of the page has stored. */
export const readDrafts = (stored: unknown): z.infer<typeof DraftsByMessage> | undefined =>
  DraftsByMessage.safeParse(stored).data;

/** @returns the answer modes of a call, the default one first. */
export const listAnswerModes = ({ output_schema }: AnswerableCall): [AnswerMode, AnswerMode] => {
  if (toFormSchema(output_schema)) return ["form", "json"];
  return isConstraining(output_schema) ? ["json", "text"] : ["text", "json"];
};

export const createDraft = (call: AnswerableCall): Draft => ({
  mode: listAnswerModes(call)[0],
  form: null,
  text: "",
  isEmpty: false,
  json: "",
  isError: false,
  errorText: "",
  ...(call.elicitation && { question: call.elicitation.number }),
});

/** @returns the draft of a call, unless it is for an earlier question of its server. */
export const findDraft = (call: AnswerableCall, drafts: Drafts): Draft | undefined => {
  const draft = drafts[call.tool_call_id];
  return draft?.question === call.elicitation?.number ? draft : undefined;
};

/** @returns the call as a form shows it: where a server asks, the fields are those of its question. */
export const toFormCall = (call: AnswerableCall): AnswerableCall => {
  const { elicitation } = call;
  return elicitation
    ? { ...call, description: elicitation.message, output_schema: elicitation.requested_schema }
    : call;
};

/** @returns the first call without an answer that takes plain text, else the first that does. */
export const findTextCall = (
  calls: readonly AnswerableCall[],
  drafts: Drafts,
): AnswerableCall | undefined => {
  const textCalls = calls.filter((call) => listAnswerModes(call)[0] === "text");
  return textCalls.find((call) => !drafts[call.tool_call_id]) ?? textCalls[0];
};

/** Adds a text to the plain text of a draft. */
export const addText = (call: AnswerableCall, draft: Draft | undefined, text: string): Draft => {
  const before = draft ?? createDraft(call);
  const parts = [before.text, text].filter((part) => part.trim() !== "");
  return { ...before, mode: "text", isError: false, isEmpty: false, text: parts.join("\n\n") };
};

/** @returns what was entered, as text to read and copy. */
export const toDraftText = ({ mode, form, text, json, isError, errorText }: Draft): string => {
  if (isError) return errorText;
  if (mode !== "form") return mode === "json" ? json : text;
  return form?.value === undefined ? "" : JSON.stringify(form.value, null, 2);
};

/** @returns the value of the fields: the input, or the defaults of the schema while there is none. */
export const getFormValue = (call: AnswerableCall, draft: Draft): JsonValue | undefined => {
  if (draft.form) return draft.form.value;
  const form = toFormSchema(call.output_schema);
  return form && createInitialValue(form);
};

export type DraftResult =
  | { ok: true; result: SubmittedToolResult }
  /** Pointers are into the output. */
  | { ok: false; errors: FieldError[] };

/** Converts a draft to a tool result; `false`, `0`, `""` and `null` are valid outputs. */
export const toToolResult = (call: AnswerableCall, draft: Draft): DraftResult => {
  const { tool_call_id, elicitation } = call;
  const answered = { tool_call_id, ...(elicitation && { question: elicitation.number }) };
  if (elicitation && draft.refusal) {
    return {
      ok: true,
      result: { ...answered, output: { action: draft.refusal }, is_error: false },
    };
  }
  const output = draft.isError
    ? toErrorOutput(draft)
    : TO_OUTPUT[resolveMode(call, draft)](call, draft);
  if ("errors" in output) return { ok: false, errors: output.errors };
  const jsonError = validateJson(output.value, MAX_OUTPUT_DEPTH);
  if (jsonError !== undefined) return { ok: false, ...toFailure(jsonError) };
  const value = elicitation ? { action: "accept", content: output.value } : output.value;
  return { ok: true, result: { ...answered, output: value, is_error: draft.isError } };
};

/** A stored draft may have a mode that the call does not offer. */
const resolveMode = (call: AnswerableCall, { mode }: Draft): AnswerMode => {
  const modes = listAnswerModes(call);
  return modes.includes(mode) ? mode : modes[0];
};

const toErrorOutput = ({ errorText }: Draft): ParsedOutput =>
  errorText.trim() === "" ? toFailure("must say what went wrong") : { value: errorText };

const TO_OUTPUT: Record<AnswerMode, (call: AnswerableCall, draft: Draft) => ParsedOutput> = {
  text: (_call, { text, isEmpty }) =>
    text === "" && !isEmpty ? toFailure("is required") : { value: text },
  json: (call, { json }) => {
    const parsed = parseJson(json);
    const errors = "value" in parsed ? checkJson(call, json, parsed.value) : [];
    return errors.length > 0 ? { errors } : parsed;
  },
  form: (call, draft) => {
    const form = toFormSchema(call.output_schema) ?? {};
    const { value, errors } = toOutput(form, getFormValue(call, draft));
    if (errors.length > 0) return { errors };
    if (value === undefined) return toFailure("is required");
    return isBlank(value) && !draft.isEmpty
      ? toFailure("must have a value in a field, or be sent without any")
      : { value };
  },
};

/** True for the value of a form without required fields in which nothing was entered. */
export const isBlank = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.keys(value).length === 0;

/** JSON that is checked while it is typed, in UTF-16 units. Longer JSON is only checked by the server. */
const MAX_CHECKED_LENGTH = 10_000;

/** Checks an answer in JSON by the form of the call; without a form, only the server checks it. */
export const checkJson = (call: AnswerableCall, json: string, value: JsonValue): FieldError[] => {
  const form = toFormSchema(call.output_schema);
  return form && json.length <= MAX_CHECKED_LENGTH ? checkOutput(form, value) : [];
};
