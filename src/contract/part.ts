import { z } from "zod";
import { JsonValue } from "./json";

/** Who runs a tool call. */
export const ToolKind = z.enum(["builtin", "dynamic", "recipe", "mcp", "provider"]);
export type ToolKind = z.infer<typeof ToolKind>;

/**
 * Where one tool call stands. The first three are open, the others are its one
 * and only outcome.
 */
export const ToolCallState = z.enum([
  "running",
  "awaiting_result",
  "awaiting_approval",
  "completed",
  "error",
  "cancelled",
  "timed_out",
  "denied",
]);
export type ToolCallState = z.infer<typeof ToolCallState>;

export const TextPart = z.object({ type: z.literal("text"), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

export const ReasoningPart = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime().optional(),
});
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const SourcePart = z.object({
  type: z.literal("source"),
  url: z.string(),
  title: z.string().optional(),
});
export type SourcePart = z.infer<typeof SourcePart>;

/** A file made by a tool or kept because its text was too long for the model. */
export const Artifact = z
  .object({
    id: z.uuid(),
    name: z.string(),
    media_type: z.string(),
    size: z.int(),
  })
  .meta({ id: "Artifact" });
export type Artifact = z.infer<typeof Artifact>;

/** A tool call with its outcome: one part, so a call can never have two. */
export const ToolCallPart = z.object({
  type: z.literal("tool_call"),
  tool_call_id: z.string(),
  tool_name: z.string(),
  kind: ToolKind,
  /** What the model sent; a string when it was no valid JSON. */
  args: JsonValue,
  state: ToolCallState,
  /** A dynamic tool's own output unchanged, or the text that the model reads. */
  output: JsonValue.optional(),
  /** Text for the person, where it differs from the model's. */
  for_user: z.string().optional(),
  silent: z.boolean().optional(),
  artifacts: z.array(Artifact).optional(),
  response_handled: z.boolean().optional(),
  is_error: z.boolean(),
  /** Who answered: a user's id, `api_key:<id>`, or `worker`. */
  resolved_by: z.string().optional(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime().optional(),
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;

export const Part = z
  .discriminatedUnion("type", [TextPart, ReasoningPart, SourcePart, ToolCallPart])
  .meta({ id: "Part" });
export type Part = z.infer<typeof Part>;
