import * as z from "zod";
import { Content, FileContent, Text } from "./content";
import { JsonObject, validateJson } from "./json";
import {
  MAX_ANSWER_PARTS,
  MAX_ANSWER_TEXT_LENGTH,
  MAX_CALLS_PER_STEP,
  MAX_HISTORY_MESSAGES,
  MAX_HISTORY_PARTS,
  MAX_OUTPUT_DEPTH,
  MAX_SYSTEM_PROMPT_LENGTH,
} from "./limits";
import { ToolOutput } from "./tool-output";

// What a chat begins with that was said elsewhere.

const isNotBlank = (text: string): boolean => text.trim() !== "";
const BLANK = "must not be blank";

const AnswerText = Text.max(MAX_ANSWER_TEXT_LENGTH).refine(isNotBlank, BLANK);

/** The providers' own rule for names of tools. */
const ToolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, '_' or '-'");

const CallArgs = JsonObject.superRefine((value, context) => {
  const error = validateJson(value, MAX_OUTPUT_DEPTH);
  if (error) context.addIssue({ code: "custom", message: error });
});

/** A call that has ended. */
const ClosedCall = z.strictObject({
  type: z.literal("tool_call"),
  tool_call_id: Text.min(1).max(256),
  tool_name: ToolName,
  args: CallArgs.default({}),
  state: z.enum(["completed", "error", "cancelled", "timed_out", "denied"]).default("completed"),
  output: ToolOutput,
});

const AnswerPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: AnswerText }),
  /** People see it. No model gets it, as it has no signature of one. */
  z.strictObject({ type: z.literal("reasoning"), text: AnswerText }),
  /** A file that was sent before; people and models see a link to it. */
  FileContent,
  ClosedCall,
]);
type AnswerPart = z.infer<typeof AnswerPart>;

const checkCallCount: z.core.CheckFn<AnswerPart[]> = ({ value, issues }) => {
  const count = value.filter(({ type }) => type === "tool_call").length;
  if (count <= MAX_CALLS_PER_STEP) return;
  const message = `has more than ${MAX_CALLS_PER_STEP} calls`;
  issues.push({ code: "custom", input: value, path: [], message });
};

/** What an assistant has said and done in one step: parts, or a string as short form of one text part. */
const AnswerContent = z
  .union([
    AnswerText.transform((text) => [{ type: "text" as const, text }]),
    z
      .array(AnswerPart)
      .min(1, "must have at least one part")
      .max(MAX_ANSWER_PARTS)
      .check(checkCallCount),
  ])
  .meta({ id: "AnswerContent" });

/** A message of the history that a chat begins with. */
export const HistoryMessage = z
  .discriminatedUnion("role", [
    z.strictObject({
      role: z.literal("system"),
      content: Text.max(MAX_SYSTEM_PROMPT_LENGTH).refine(isNotBlank, BLANK),
    }),
    z.strictObject({ role: z.literal("user"), content: Content }),
    z.strictObject({ role: z.literal("assistant"), content: AnswerContent }),
  ])
  .meta({ id: "HistoryMessage" });
export type HistoryMessage = z.infer<typeof HistoryMessage>;

const hasCalls = (message: HistoryMessage | undefined): boolean =>
  message?.role === "assistant" && message.content.some(({ type }) => type === "tool_call");

/** @returns why a message cannot follow another one. */
const findOrderMistake = (
  { role }: HistoryMessage,
  previous: HistoryMessage | undefined,
): string | undefined => {
  if (role === "system" && previous && previous.role !== "system") {
    return "must be before all messages of other roles";
  }
  if (role !== "assistant" || previous?.role === "user" || hasCalls(previous)) return undefined;
  return previous?.role === "assistant"
    ? "must follow a message of the user, or an answer with calls"
    : "must follow a message of the user";
};

/** The order of roles, and ids that two calls have. */
const checkHistory: z.core.CheckFn<HistoryMessage[]> = ({ value, issues }) => {
  const report = (path: PropertyKey[], message: string): void => {
    issues.push({ code: "custom", input: value, path, message });
  };
  const ids = new Set<string>();
  value.forEach((message, index) => {
    const mistake = findOrderMistake(message, value[index - 1]);
    if (mistake !== undefined) report([index, "role"], mistake);
    if (message.role !== "assistant") return;
    message.content.forEach((part, at) => {
      if (part.type !== "tool_call") return;
      if (ids.has(part.tool_call_id)) {
        report([index, "content", at, "tool_call_id"], "is the id of an earlier call");
      }
      ids.add(part.tool_call_id);
    });
  });
  if (value.every(({ role }) => role === "system")) report([], "must have a message of the user");
};

/** Checked before each part is looked at, as there may be many. */
const checkPartCount = (value: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(value)) return value;
  const count = value.reduce<number>((sum, message: { content?: unknown } | null) => {
    const content = message?.content;
    return sum + (Array.isArray(content) ? content.length : 1);
  }, 0);
  if (count > MAX_HISTORY_PARTS) {
    const message = `have more than ${MAX_HISTORY_PARTS} parts together`;
    context.addIssue({ code: "custom", message });
  }
  return value;
};

/** The messages that a chat begins with, in their order. A user's message at the end is to be answered. */
export const HistoryMessages = z.preprocess(
  checkPartCount,
  z
    .array(HistoryMessage)
    .min(1, "must have at least one message")
    .max(MAX_HISTORY_MESSAGES, `must be at most ${MAX_HISTORY_MESSAGES} messages`)
    .check(checkHistory),
);
export type HistoryMessages = z.infer<typeof HistoryMessages>;
