import { z } from "zod";
import type { PendingToolCall } from "@/contract/chat";
import type { SubmittedToolResult } from "@/contract/chat-inputs";
import { checkOutput } from "@/contract/check-output";
import { JsonValue, validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import type { FieldError } from "@/contract/problem";
import { completeOutput, startingOutput } from "./complete-output";
import { formSchema } from "./form-schema";

/** How an answer is given: by fields of the tool's schema, as plain text, or as JSON. */
export const AnswerMode = z.enum(["form", "text", "json"]);
export type AnswerMode = z.infer<typeof AnswerMode>;

/** An answer that is being written. What was written in one mode stays while another is tried. */
export const Draft = z.object({
  mode: AnswerMode,
  /** What the fields hold; without `value` they were all emptied, `null` as a whole is untouched. */
  form: z.object({ value: JsonValue.optional() }).nullable(),
  text: z.string(),
  json: z.string(),
  isError: z.boolean(),
  errorText: z.string(),
});
export type Draft = z.infer<typeof Draft>;

/** By `tool_call_id`; a call that nobody touched has none. */
export type Drafts = { [toolCallId: string]: Draft };

/** @returns the ways to answer a call, the usual one first. */
export const answerModes = (call: PendingToolCall): [AnswerMode, AnswerMode] =>
  formSchema(call.output_schema) ? ["form", "json"] : ["text", "json"];

export const emptyDraft = (call: PendingToolCall): Draft => ({
  mode: answerModes(call)[0],
  form: null,
  text: "",
  json: "",
  isError: false,
  errorText: "",
});

/** What the fields of a draft show: what was put in, before that the schema's defaults. */
export const formValue = (call: PendingToolCall, draft: Draft): JsonValue | undefined => {
  if (draft.form) return draft.form.value;
  const schema = formSchema(call.output_schema);
  return schema && startingOutput(schema);
};

export type DraftedResult =
  | { ok: true; result: SubmittedToolResult }
  /** Pointers are into the output. */
  | { ok: false; problems: FieldError[] };

/** A draft as the result that is sent; `false`, `0`, `""` and `null` are results like any other. */
export const draftToResult = (call: PendingToolCall, draft: Draft): DraftedResult => {
  const output = draft.isError ? errorOutput(draft) : OUTPUT[modeOf(call, draft)](call, draft);
  if ("problems" in output) return { ok: false, problems: output.problems };
  const unsendable = validateJson(output.value, MAX_OUTPUT_DEPTH);
  if (unsendable !== undefined) return failed(unsendable);
  const problems = draft.isError ? [] : checkOutput(call.output_schema, output.value);
  if (problems.length > 0) return { ok: false, problems };
  const { tool_call_id } = call;
  return { ok: true, result: { tool_call_id, output: output.value, is_error: draft.isError } };
};

type Output = { value: JsonValue } | { problems: FieldError[] };

const failed = (message: string) => ({ ok: false as const, problems: [{ pointer: "", message }] });

/** A stored draft may be of a mode that the call does not have. */
const modeOf = (call: PendingToolCall, { mode }: Draft): AnswerMode => {
  const modes = answerModes(call);
  return modes.includes(mode) ? mode : modes[0];
};

const errorOutput = ({ errorText }: Draft): Output =>
  errorText.trim() === ""
    ? { problems: [{ pointer: "", message: "must say what went wrong" }] }
    : { value: errorText };

const OUTPUT: Record<AnswerMode, (call: PendingToolCall, draft: Draft) => Output> = {
  text: (_call, draft) => ({ value: draft.text }),
  json: (_call, draft) => parseJson(draft.json),
  form: (call, draft) => {
    const schema = formSchema(call.output_schema);
    const value = schema && completeOutput(schema, formValue(call, draft));
    return value === undefined
      ? { problems: [{ pointer: "", message: "is required" }] }
      : { value };
  },
};

/** @returns the value, or in words where the text stops to be JSON. */
export const parseJson = (text: string): Output => {
  if (text.trim() === "") return { problems: [{ pointer: "", message: "must be a JSON value" }] };
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be read";
    return { problems: [{ pointer: "", message: `is not JSON: ${reason}` }] };
  }
};
