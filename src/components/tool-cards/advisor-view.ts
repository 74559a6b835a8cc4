import type { LiveOutput, ToolCallView } from "@/contract/chat-view";
import type { JsonValue } from "@/contract/json";
import { callArgs } from "./call-args";
import { cardState } from "./card-state";

/** What is told with an outcome, where it is known. */
type Footnotes = {
  /** "provider/model". */
  model: string | undefined;
  /** Undefined also where there is no limit. */
  remaining: number | undefined;
};

/** What there is to say of asking the advisor, whatever shape the call's data has. */
export type AdvisorView =
  | { kind: "consulting"; phase: string | undefined; text: string }
  | ({ kind: "advice"; text: string } & Footnotes)
  | ({ kind: "no_guidance" } & Footnotes)
  | { kind: "limit_reached" }
  | ({ kind: "failed"; message: string | undefined } & Footnotes)
  | { kind: "cancelled" | "timed_out" }
  /** Nothing of its own: waiting for a decision, or data of no known shape. */
  | { kind: "other" };

/** @returns the question as far as it has come; undefined while it is blank or missing. */
export const advisorQuestion = (part: ToolCallView): string | undefined =>
  textOf(callArgs(part), "question")?.trim();

export const advisorView = (part: ToolCallView): AdvisorView => {
  const state = cardState(part);
  switch (state) {
    case "streaming":
    case "running":
      return consultingView(part.live_output);
    case "completed":
      return outcomeView(fieldsOf(part.output, "advice"));
    case "error":
      return failedView(fieldsOf(part.output, "error") ?? {});
    case "cancelled":
    case "timed_out":
      return { kind: state };
    case "awaiting_result":
    case "awaiting_approval":
    case "denied":
      return { kind: "other" };
  }
};

const consultingView = (live: LiveOutput | undefined): AdvisorView => ({
  kind: "consulting",
  phase: live?.phase,
  text: live?.text ?? "",
});

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param meaning the field that an output of plain text stands for.
 * @returns undefined for an output that is neither text nor fields.
 */
const fieldsOf = (output: JsonValue | undefined, meaning: string): Fields | undefined => {
  if (output === undefined || output === null) return { [meaning]: "" };
  if (typeof output === "string") return storedAsText(output) ?? { [meaning]: output };
  return Array.isArray(output) || typeof output !== "object" ? undefined : output;
};

const storedAsText = (text: string): Fields | undefined => {
  if (!text.startsWith('{"type":')) return undefined;
  try {
    return JSON.parse(text) as Fields;
  } catch {
    // Cut short, or advice that happens to begin like a result.
    return undefined;
  }
};

const outcomeView = (fields: Fields | undefined): AdvisorView => {
  if (!fields) return { kind: "other" };
  const { type } = fields;
  const text = textOf(fields, "advice");
  if (type === "limit_reached") return { kind: "limit_reached" };
  if (type === "error") return failedView(fields);
  if (text !== undefined) return { kind: "advice", text, ...footnotesOf(fields) };
  const isBlank = type === "advice" || typeof fields.advice === "string";
  return isBlank ? { kind: "no_guidance", ...footnotesOf(fields) } : { kind: "other" };
};

const failedView = (fields: Fields): AdvisorView => ({
  kind: "failed",
  message: textOf(fields, "error"),
  ...footnotesOf(fields),
});

const textOf = (fields: Fields, name: string): string | undefined => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

const footnotesOf = (fields: Fields): Footnotes => {
  const { remaining_uses: remaining } = fields;
  const isCount = typeof remaining === "number" && Number.isInteger(remaining) && remaining >= 0;
  return { model: textOf(fields, "advisor_model"), remaining: isCount ? remaining : undefined };
};
