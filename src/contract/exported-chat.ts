import * as z from "zod";
import { Labels } from "./labels";
import { JsonObject, JsonValue, validateJson } from "./json";
import { MAX_HISTORY_MESSAGES, MAX_OUTPUT_DEPTH, MAX_TITLE_LENGTH } from "./limits";
import { FinishReason } from "./message";
import { ChatParameters } from "./parameters";
import { SummaryReason } from "./part";
import { EndedTaskState, TaskKind } from "./task-state";

// A chat as a document. Its messages have the shape of those of `POST /chats`, and more that a chat of this server has.

/** What the field `format` of a document says. */
export const EXPORT_FORMAT = "parley.chat.v1";

const Time = z.iso.datetime();
const Id = z.string().min(1).max(256);

const Json = JsonValue.superRefine((value, context) => {
  const error = validateJson(value, MAX_OUTPUT_DEPTH);
  if (error) context.addIssue({ code: "custom", message: error });
});

const ExportedText = z.object({ type: z.literal("text"), text: z.string() });

/** A file of the chat, by its id in the list of files. */
const ExportedFileRef = z.object({ type: z.literal("file"), file_id: Id });

const ExportedCall = z.object({
  type: z.literal("tool_call"),
  tool_call_id: Id,
  tool_name: z.string().min(1).max(256),
  args: Json,
  /** What a person has changed the arguments to before they approved them. */
  approved_args: JsonObject.optional(),
  state: z.enum(["completed", "error", "cancelled", "timed_out", "denied"]),
  output: Json,
  for_user: z.string().optional(),
  /** Ids of files that it has made. */
  files: z.array(Id).optional(),
});

const ExportedAnswerPart = z.discriminatedUnion("type", [
  ExportedText,
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({ type: z.literal("source"), url: z.string(), title: z.string().optional() }),
  ExportedFileRef,
  ExportedCall,
]);
export type ExportedAnswerPart = z.infer<typeof ExportedAnswerPart>;

const ExportedEventPart = z.discriminatedUnion("type", [
  ExportedText,
  z.object({
    type: z.literal("report"),
    tool_call_id: Id,
    kind: TaskKind,
    label: z.string(),
    state: EndedTaskState,
    output: Json,
    for_user: z.string().optional(),
    files: z.array(Id).optional(),
  }),
  z.object({
    type: z.literal("summary"),
    reason: SummaryReason,
    instructions: z.string().optional(),
    /** The places of the messages before it that the model still reads as they are; the first message has the place 1. */
    kept: z.array(z.int()).max(MAX_HISTORY_MESSAGES),
    tokens_before: z.int(),
    tokens_after: z.int(),
  }),
]);

const created_at = Time.optional();

const ExportedMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string(), created_at }),
  z.object({
    role: z.literal("user"),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [ExportedText, ExportedFileRef])),
    ]),
    created_at,
  }),
  z.object({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(ExportedAnswerPart)]),
    created_at,
    model: z.string().max(256).optional(),
    finish_reason: FinishReason.optional(),
    interrupted: z.boolean().optional(),
  }),
  z.object({ role: z.literal("event"), content: z.array(ExportedEventPart), created_at }),
]);
export type ExportedMessage = z.infer<typeof ExportedMessage>;

/** Providers refuse a history that an answer begins. */
const checkBeginning: z.core.CheckFn<ExportedMessage[]> = ({ value, issues }) => {
  const index = value.findIndex(({ role }) => role === "user" || role === "assistant");
  if (value[index]?.role !== "assistant") return;
  const message = "must follow a message of the user";
  issues.push({ code: "custom", input: value, path: [index, "role"], message });
};

/** A file of the chat. In a ZIP, its content is the entry `files/<file_id>/<name>`. */
export const ExportedFile = z.object({
  file_id: Id,
  name: z.string().max(1_000),
  media_type: z.string(),
  size: z.int(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

/** A chat as a document. */
export const ExportedChat = z.object({
  format: z.literal(EXPORT_FORMAT),
  id: Id,
  title: z.string().max(MAX_TITLE_LENGTH),
  archived: z.boolean().default(false),
  pinned: z.boolean().default(false),
  labels: Labels.default({}),
  system_prompt: z.string().nullable().default(null),
  /** "provider/model" of its setting; null for the default model. */
  model: z.string().nullable().default(null),
  ...ChatParameters.shape,
  created_at: Time,
  updated_at: Time,
  messages: z.array(ExportedMessage).min(1).check(checkBeginning),
  files: z.array(ExportedFile).default([]),
  /** The chat that it was copied from, and how many of its messages that chat has, too. */
  forked_from: z
    .object({ chat_id: Id.nullable(), messages: z.int().min(0) })
    .nullable()
    .default(null),
});
export type ExportedChat = z.infer<typeof ExportedChat>;

const ExportFormat = z.enum(["markdown", "json", "zip"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

export const ExportChatInput = z.strictObject({
  chat_id: z.string(),
  format: ExportFormat.default("json"),
});

/** The path of a file in a ZIP. */
export const toEntryPath = ({ file_id, name }: Pick<ExportedFile, "file_id" | "name">): string =>
  `files/${file_id}/${name}`;
