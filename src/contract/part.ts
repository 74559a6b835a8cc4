import * as z from "zod";
import { AnsweredElicitation } from "./elicitation";
import { JsonObject, JsonValue } from "./json";
import { EndedTaskState, TaskKind } from "./task-state";

/** Who runs a tool call. */
export const ToolKind = z.enum(["builtin", "dynamic", "recipe", "mcp", "provider", "toolset"]);
export type ToolKind = z.infer<typeof ToolKind>;

/** State of a tool call. The first four are open, the others are final outcomes. */
export const ToolCallState = z.enum([
  "running",
  "awaiting_result",
  "awaiting_approval",
  "awaiting_agents",
  "completed",
  "error",
  "cancelled",
  "timed_out",
  "denied",
]);
export type ToolCallState = z.infer<typeof ToolCallState>;

export const TextPart = z
  .object({ type: z.literal("text"), text: z.string() })
  .meta({ id: "TextPart" });
export type TextPart = z.infer<typeof TextPart>;

export const ReasoningPart = z
  .object({
    type: z.literal("reasoning"),
    text: z.string(),
    started_at: z.iso.datetime(),
    completed_at: z.iso.datetime().optional(),
  })
  .meta({ id: "ReasoningPart" });
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const SourcePart = z
  .object({
    type: z.literal("source"),
    url: z.string(),
    title: z.string().optional(),
  })
  .meta({ id: "SourcePart" });
export type SourcePart = z.infer<typeof SourcePart>;

const FILE_FIELDS = {
  name: z.string(),
  media_type: z.string(),
  size: z.int(),
  /** Pixels, of an image that models can be shown. */
  width: z.int().optional(),
  height: z.int().optional(),
};

/** A file of a chat: one that a client has sent or a tool has made, or an output too long for the model. */
export const Artifact = z.object({ id: z.uuid(), ...FILE_FIELDS }).meta({ id: "Artifact" });
export type Artifact = z.infer<typeof Artifact>;

/** A file that a person has sent with a message. */
export const FilePart = z
  .object({ type: z.literal("file"), file_id: z.uuid(), ...FILE_FIELDS })
  .meta({ id: "FilePart" });
export type FilePart = z.infer<typeof FilePart>;

/** Creates the part of a message that has a file. */
export const toFilePart = ({ id, ...fields }: Artifact): FilePart => ({
  type: "file",
  file_id: id,
  ...fields,
});

/** A tool call and its outcome in one part, so that a call cannot have two outcomes. */
export const ToolCallPart = z
  .object({
    type: z.literal("tool_call"),
    tool_call_id: z.string(),
    tool_name: z.string(),
    kind: ToolKind,
    /** The arguments from the model; a string if they are not valid JSON. */
    args: JsonValue,
    /** What a person has changed the arguments to before they approved them; the call runs with these. */
    approved_args: JsonObject.optional(),
    state: ToolCallState,
    /** The output of a dynamic tool with its secrets masked, or the text for the model. */
    output: JsonValue.optional(),
    /** Text for the user if it differs from the text for the model. */
    for_user: z.string().optional(),
    silent: z.boolean().optional(),
    artifacts: z.array(Artifact).optional(),
    response_handled: z.boolean().optional(),
    /** The call has ended, and its work goes on. */
    is_async: z.literal(true).optional(),
    /** The task as which it does. */
    task_id: z.uuid().optional(),
    is_error: z.boolean(),
    /** What the server of the tool has asked in the middle of the call, in order. The last one may be open. */
    elicitations: z.array(AnsweredElicitation).optional(),
    /** Who sent the outcome: the id of a user, `api_key:<id>`, or `worker`. */
    resolved_by: z.string().optional(),
    started_at: z.iso.datetime(),
    completed_at: z.iso.datetime().optional(),
  })
  .meta({ id: "ToolCallPart" });
export type ToolCallPart = z.infer<typeof ToolCallPart>;

/** What a task has ended with, in a message of the role `event`. */
export const ReportPart = z
  .object({
    type: z.literal("report"),
    task_id: z.uuid(),
    /** The call that began the task. */
    tool_call_id: z.string(),
    kind: TaskKind,
    label: z.string(),
    state: EndedTaskState,
    /** The chat of the agent whose report it is. */
    agent_chat_id: z.uuid().optional(),
    /** What the model reads. */
    output: JsonValue,
    /** Text for the person, if it differs. */
    for_user: z.string().optional(),
    /** Its files; those of an agent are what its calls have made. */
    artifacts: z.array(Artifact),
  })
  .meta({ id: "ReportPart" });
export type ReportPart = z.infer<typeof ReportPart>;

/** Why a boundary was set in the history: what is before it leaves the prompt. */
export const SummaryReason = z.enum(["automatic", "requested", "overflow", "cleared"]);
export type SummaryReason = z.infer<typeof SummaryReason>;

/**
 * A boundary in the history, in a message of the role `event`: the model reads the text part of that message, if it has one,
 * in place of what is before it.
 */
export const SummaryPart = z
  .object({
    type: z.literal("summary"),
    reason: SummaryReason,
    /** What a person has asked to keep in particular. */
    instructions: z.string().optional(),
    /** The `seq` of each message before the boundary that the model still reads as it is, ascending. */
    kept: z.array(z.int()),
    /** Estimated tokens of the prompt before and after it. */
    tokens_before: z.int(),
    tokens_after: z.int(),
  })
  .meta({ id: "SummaryPart" });
export type SummaryPart = z.infer<typeof SummaryPart>;

export const Part = z
  .discriminatedUnion("type", [
    TextPart,
    ReasoningPart,
    SourcePart,
    FilePart,
    ToolCallPart,
    ReportPart,
    SummaryPart,
  ])
  .meta({ id: "Part" });
export type Part = z.infer<typeof Part>;
