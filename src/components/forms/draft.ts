import { z } from "zod";
import type { PendingToolCall } from "@/contract/chat";
import type { SubmittedToolResult } from "@/contract/chat-inputs";
import { JsonValue, validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import type { FieldError } from "@/contract/problem";
import { completeOutput, createInitialOutput } from "./complete-output";
import { toFormSchema } from "./form-schema";
import { validateOutput } from "./validate-subschema";

/** How an answer is entered: in fields of the tool's schema, as plain text, or as JSON. */
export const AnswerMode = z.enum(["form", "text", "json"]);
export type AnswerMode = z.infer<typeof AnswerMode>;

/** An unsent answer. Each mode keeps its own input while another mode is used. */
export const Draft = z.object({
  mode: AnswerMode,
  /** The value of the fields: null until one is changed, without `value` if all were cleared. */
  form: z.object({ value: JsonValue.optional() }).nullable(),
  text: z.string(),
  json: z.string(),
  isError: z.boolean(),
  errorText: z.string(),
});
export type Draft = z.infer<typeof Draft>;

/** By `tool_call_id`; an untouched call has no draft. */
export type Drafts = { [toolCallId: string]: Draft };

/** @returns the answer modes of a call, the default one first. */
export const listAnswerModes = (call: PendingToolCall): [AnswerMode, AnswerMode] =>
  toFormSchema(call.output_schema) ? ["form", "json"] : ["text", "json"];

export const createDraft = (call: PendingToolCall): Draft => ({
  mode: listAnswerModes(call)[0],
  form: null,
  text: "",
  json: "",
  isError: false,
  errorText: "",
});

/** @returns the value of the fields: the input, or the defaults of the schema while there is none. */
export const getFormValue = (call: PendingToolCall, draft: Draft): JsonValue | undefined => {
  if (draft.form) return draft.form.value;
  const schema = toFormSchema(call.output_schema);
  return schema && createInitialOutput(schema);
};

export type DraftResult =
  | { ok: true; result: SubmittedToolResult }
  /** Pointers are into the output. */
  | { ok: false; errors: FieldError[] };

/** Converts a draft to a tool result; `false`, `0`, `""` and `null` are valid outputs. */
export const toToolResult = (call: PendingToolCall, draft: Draft): DraftResult => {
  const output = draft.isError
    ? toErrorOutput(draft)
    : TO_OUTPUT[resolveMode(call, draft)](call, draft);
  if ("errors" in output) return { ok: false, errors: output.errors };
  const jsonError = validateJson(output.value, MAX_OUTPUT_DEPTH);
  if (jsonError !== undefined) return toFailure(jsonError);
  const errors = draft.isError ? [] : validateOutput(call.output_schema, output.value);
  if (errors.length > 0) return { ok: false, errors };
  const { tool_call_id } = call;
  return { ok: true, result: { tool_call_id, output: output.value, is_error: draft.isError } };
};

type ParsedOutput = { value: JsonValue } | { errors: FieldError[] };

const toFailure = (message: string) => ({
  ok: false as const,
  errors: [{ pointer: "", message }],
});

/** A stored draft may have a mode that the call does not offer. */
const resolveMode = (call: PendingToolCall, { mode }: Draft): AnswerMode => {
  const modes = listAnswerModes(call);
  return modes.includes(mode) ? mode : modes[0];
};

const toErrorOutput = ({ errorText }: Draft): ParsedOutput =>
  errorText.trim() === ""
    ? { errors: [{ pointer: "", message: "must say what went wrong" }] }
    : { value: errorText };

const TO_OUTPUT: Record<AnswerMode, (call: PendingToolCall, draft: Draft) => ParsedOutput> = {
  text: (_call, draft) => ({ value: draft.text }),
  json: (_call, draft) => parseJson(draft.json),
  form: (call, draft) => {
    const schema = toFormSchema(call.output_schema);
    const value = schema && completeOutput(schema, getFormValue(call, draft));
    return value === undefined ? { errors: [{ pointer: "", message: "is required" }] } : { value };
  },
};

/** @returns the value, or the position of the syntax error as a message. */
export const parseJson = (text: string): ParsedOutput => {
  if (text.trim() === "") return { errors: [{ pointer: "", message: "must be a JSON value" }] };
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be read";
    return { errors: [{ pointer: "", message: `is not JSON: ${reason}` }] };
  }
};
