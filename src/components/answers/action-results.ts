import type { AnswerableCall } from "@/contract/call";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import type { JsonObject } from "@/contract/json";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError, Problem } from "@/contract/problem";
import { humanize } from "@/lib/humanize";
import { isMap } from "@/components/schema-form/field-value";
import { findInnerField } from "@/components/schema-form/initial-value";
import { createDraft, type Drafts, findDraft, toToolResult } from "./draft";

export type ValidatedResults = {
  /** One per call, in the order of the calls; incomplete if there are errors. */
  results: SubmittedToolResult[];
  /** By `tool_call_id`; pointers are into the output. */
  errors: Map<string, FieldError[]>;
};

/** Converts the drafts of a step to the results that are submitted together. */
export const toToolResults = (
  calls: readonly AnswerableCall[],
  drafts: Drafts,
): ValidatedResults => {
  const validated: ValidatedResults = { results: [], errors: new Map() };
  for (const call of calls) {
    const result = toToolResult(call, findDraft(call, drafts) ?? createDraft(call));
    if (result.ok) validated.results.push(result.result);
    else validated.errors.set(call.tool_call_id, result.errors);
  }
  return validated;
};

const OUTPUT_POINTER = /^\/results\/(\d+)\/output(?=\/|$)/;

/** Assigns the errors of the server to calls: results are submitted in the order of the calls. */
export const errorsByCall = (
  calls: readonly AnswerableCall[],
  problem: Problem | undefined,
): { byCall: Map<string, FieldError[]>; otherErrors: FieldError[] } => {
  const byCall = new Map<string, FieldError[]>();
  const otherErrors: FieldError[] = [];
  for (const error of problem?.errors ?? []) {
    const match = OUTPUT_POINTER.exec(error.pointer);
    const call = calls[Number(match?.[1] ?? -1)];
    if (!match || !call) {
      otherErrors.push(error);
      continue;
    }
    const callErrors = byCall.get(call.tool_call_id) ?? [];
    byCall.set(call.tool_call_id, [
      ...callErrors,
      { ...error, pointer: toFieldPointer(call, error.pointer.slice(match[0].length)) },
    ]);
  }
  return { byCall, otherErrors };
};

/** The fields of a question are below `content` in its answer. */
const toFieldPointer = ({ elicitation }: AnswerableCall, pointer: string): string =>
  elicitation ? pointer.replace(/^\/content(?=\/|$)/, "") : pointer;

/**
 * Formats an error with the path of its field: "Address › Street is required".
 *
 * @param form the schema of the fields, whose titles name them.
 */
export const formatFieldError = ({ pointer, message }: FieldError, form?: JsonObject): string => {
  const path = toFieldTitles(form, parsePointer(pointer));
  return `${path.length === 0 ? "The answer" : path.join(" › ")} ${message}`;
};

const toFieldTitles = (form: JsonObject | undefined, path: readonly string[]): string[] => {
  let field = form;
  return path.map((key) => {
    const holder = field;
    field = holder && findInnerField(holder, key);
    if (holder && isMap(holder)) return key;
    if (typeof field?.title === "string") return field.title;
    return holder?.type !== "object" && /^\d+$/.test(key)
      ? `item ${Number(key) + 1}`
      : humanize(key);
  });
};
