import type { AdvisorResult } from "@/contract/advisor";
import type { LiveOutput, ToolCallView } from "@/contract/chat-view";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { parseCallArgs } from "./call-args";
import { toCardState } from "./card-state";

/** Shown below an outcome, where it is known. */
type Footnotes = {
  /** "provider/model". */
  model?: string | undefined;
  /** Undefined also where there is no limit. */
  remaining?: number | undefined;
};

/** What an advisor call shows. */
export type AdvisorView =
  | { kind: "consulting"; phase: string | undefined; text: string }
  | ({ kind: "advice"; text: string } & Footnotes)
  | ({ kind: "no_guidance" } & Footnotes)
  | { kind: "limit_reached" }
  | ({ kind: "failed"; message: string | undefined } & Footnotes)
  | { kind: "cancelled" | "timed_out" }
  /** Nothing of its own: waiting for a decision, or data of an unknown shape. */
  | { kind: "other" };

/** @returns the question received so far; undefined while it is blank or missing. */
export const getAdvisorQuestion = (part: ToolCallView): string | undefined =>
  nonBlank(parseCallArgs(part).question)?.trim();

export const toAdvisorView = (
  part: ToolCallView,
  result: AdvisorResult | undefined,
): AdvisorView => {
  const state = toCardState(part);
  switch (state) {
    case "streaming":
    case "running":
      return consultingView(part.live_output);
    case "completed":
      return result ? resultView(result) : looseView(part.output);
    case "error":
      return isText(part.output)
        ? { kind: "failed", message: nonBlank(part.output) }
        : { kind: "other" };
    case "cancelled":
    case "timed_out":
      return { kind: state };
    default:
      return { kind: "other" };
  }
};

const consultingView = (live: LiveOutput | undefined): AdvisorView => ({
  kind: "consulting",
  phase: live?.phase,
  text: live?.text ?? "",
});

const resultView = (result: AdvisorResult): AdvisorView => {
  switch (result.type) {
    case "advice":
      return { ...adviceView(result.advice), ...footnotes(result) };
    case "limit_reached":
      return { kind: "limit_reached" };
    case "error":
      return { kind: "failed", message: nonBlank(result.error), ...footnotes(result) };
  }
};

/** Shows plain text, and the advice of a result that a newer server made. */
const looseView = (output: JsonValue | undefined): AdvisorView => {
  if (isText(output)) return adviceView(output ?? "");
  return isJsonObject(output) && typeof output.advice === "string"
    ? adviceView(output.advice)
    : { kind: "other" };
};

const adviceView = (advice: string): AdvisorView => {
  const text = nonBlank(advice);
  return text === undefined ? { kind: "no_guidance" } : { kind: "advice", text };
};

const footnotes = (result: Exclude<AdvisorResult, { type: "limit_reached" }>): Footnotes => ({
  model: nonBlank(result.advisor_model),
  remaining: result.remaining_uses ?? undefined,
});

const isText = (output: JsonValue | undefined): output is string | null | undefined =>
  output === undefined || output === null || typeof output === "string";

const nonBlank = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
