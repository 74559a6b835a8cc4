import type { PendingToolCall } from "@/contract/chat";
import type { SubmittedToolResult } from "@/contract/chat-inputs";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError, Problem } from "@/contract/problem";
import { humanize } from "@/lib/humanize";
import { type Drafts, draftToResult, emptyDraft } from "./draft";

export type DraftedResults = {
  /** One for each call, in their order; only complete when there are no problems. */
  results: SubmittedToolResult[];
  /** By `tool_call_id`; pointers are into the output. */
  problems: Map<string, FieldError[]>;
};

/** All drafts of a step as the results that are sent together. */
export const draftedResults = (
  calls: readonly PendingToolCall[],
  drafts: Drafts,
): DraftedResults => {
  const drafted: DraftedResults = { results: [], problems: new Map() };
  for (const call of calls) {
    const one = draftToResult(call, drafts[call.tool_call_id] ?? emptyDraft(call));
    if (one.ok) drafted.results.push(one.result);
    else drafted.problems.set(call.tool_call_id, one.problems);
  }
  return drafted;
};

const PLACE = /^\/results\/(\d+)\/output(?=\/|$)/;

/** Puts what the server refused where it was entered: the results were sent in the order of the calls. */
export const placedProblems = (
  calls: readonly PendingToolCall[],
  problem: Problem | undefined,
): { byCall: Map<string, FieldError[]>; others: FieldError[] } => {
  const byCall = new Map<string, FieldError[]>();
  const others: FieldError[] = [];
  for (const error of problem?.errors ?? []) {
    const place = PLACE.exec(error.pointer);
    const call = calls[Number(place?.[1] ?? -1)];
    if (!place || !call) {
      others.push(error);
      continue;
    }
    const found = byCall.get(call.tool_call_id) ?? [];
    byCall.set(call.tool_call_id, [
      ...found,
      { ...error, pointer: error.pointer.slice(place[0].length) },
    ]);
  }
  return { byCall, others };
};

/** A problem as a sentence without its field beside it: "Address › Street is required". */
export const problemSentence = ({ pointer, message }: FieldError): string => {
  const path = parsePointer(pointer).map((key) =>
    /^\d+$/.test(key) ? `item ${Number(key) + 1}` : humanize(key),
  );
  return `${path.length === 0 ? "The answer" : path.join(" › ")} ${message}`;
};
