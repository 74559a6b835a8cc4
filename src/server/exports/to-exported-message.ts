import { IMPORTED_SUFFIX } from "@/contract/import";
import type { ExportedAnswerPart, ExportedMessage } from "@/contract/exported-chat";
import type { Artifact } from "@/contract/part";
import {
  type MessageRow,
  OPEN_CALL_STATES,
  type PartRow,
  type ReportPartRow,
  type ToolCallPartRow,
} from "@/server/db/chats/rows";

type MessageReader = {
  /** Gives the place of an earlier message by its `seq`; undefined for one that is not exported. */
  findPlace: (seq: number) => number | undefined;
};

/** Converts a message to its document; undefined for an empty message. */
export const toExportedMessage = (
  row: MessageRow,
  reader: MessageReader,
): ExportedMessage | undefined => {
  const created_at = row.createdAt.toISOString();
  switch (row.role) {
    case "system": {
      const content = joinTexts(row.parts);
      return content === "" ? undefined : { role: "system", content, created_at };
    }
    case "user":
      return { role: "user", content: toUserContent(row.parts), created_at };
    case "assistant":
      return toAnswer(row, created_at);
    case "event":
      return { role: "event", content: toEventContent(row.parts, reader), created_at };
  }
};

const joinTexts = (parts: readonly PartRow[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");

type UserContent = Extract<ExportedMessage, { role: "user" }>["content"];

const toUserContent = (parts: readonly PartRow[]): UserContent => {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return first.text;
  return parts.flatMap((part): Exclude<UserContent, string> => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    return part.type === "file" ? [{ type: "file", file_id: part.data.file_id }] : [];
  });
};

const toAnswer = (
  { parts, model, finishReason, interrupted }: MessageRow,
  created_at: string,
): ExportedMessage => {
  const content = parts.flatMap(toAnswerPart);
  const [first] = content;
  return {
    role: "assistant",
    content: content.length === 1 && first?.type === "text" ? first.text : content,
    created_at,
    ...(model !== null && { model: toPlainModel(model) }),
    ...(finishReason !== null && { finish_reason: finishReason }),
    ...(interrupted && { interrupted }),
  };
};

const toPlainModel = (model: string): string =>
  model.endsWith(IMPORTED_SUFFIX) ? model.slice(0, -IMPORTED_SUFFIX.length) : model;

const toAnswerPart = (part: PartRow): ExportedAnswerPart[] => {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return part.text.trim() === "" ? [] : [{ type: "reasoning", text: part.text }];
    case "source":
      return [{ type: "source", ...part.data }];
    case "tool_call":
      return [toCall(part)];
    default:
      return [];
  }
};

const NOT_ENDED = "The chat was exported before this call had an outcome.";

const toCall = (part: ToolCallPartRow): ExportedAnswerPart => ({
  type: "tool_call",
  tool_call_id: part.toolCallId,
  tool_name: part.toolName,
  args: part.args,
  ...(part.approvedArgs !== null && { approved_args: part.approvedArgs }),
  ...toOutcome(part),
  ...(part.forUser !== null && { for_user: part.forUser }),
  ...toFileList(part.artifacts),
});

type Outcome = Pick<Extract<ExportedAnswerPart, { type: "tool_call" }>, "state" | "output">;

const toOutcome = ({ state, output }: ToolCallPartRow): Outcome =>
  OPEN_CALL_STATES.has(state)
    ? { state: "cancelled", output: NOT_ENDED }
    : { state: state as Outcome["state"], output: output ?? null };

const toFileList = (artifacts: readonly Artifact[] | null) =>
  artifacts && artifacts.length > 0 ? { files: artifacts.map(({ id }) => id) } : undefined;

type EventContent = Extract<ExportedMessage, { role: "event" }>["content"];

const toEventContent = (parts: readonly PartRow[], { findPlace }: MessageReader): EventContent =>
  parts.flatMap((part): EventContent => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "report") return [toReport(part)];
    if (part.type !== "summary") return [];
    const kept = part.data.kept.flatMap((seq) => findPlace(seq) ?? []);
    return [{ type: "summary", ...part.data, kept }];
  });

const toReport = ({ data }: ReportPartRow): EventContent[number] => ({
  type: "report",
  tool_call_id: data.tool_call_id,
  kind: data.kind,
  label: data.label,
  state: data.state,
  output: data.output,
  ...(data.for_user !== null && { for_user: data.for_user }),
  ...toFileList(data.artifacts),
});
