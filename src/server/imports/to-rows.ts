import type { ExportedAnswerPart, ExportedChat, ExportedMessage } from "@/contract/exported-chat";
import { IMPORTED_SUFFIX } from "@/contract/import";
import { MAX_TITLE_LENGTH } from "@/contract/limits";
import { ChatParameters } from "@/contract/parameters";
import { type Artifact, toFilePart } from "@/contract/part";
import { isRasterImage } from "@/contract/file-kind";
import { FILE_URLS, toFileUrl } from "@/lib/file-url";
import type { FilePartRow, GivenPartRow, TextPartRow } from "@/server/db/chats/rows";
import type { PlacedMessage } from "@/server/db/sql/machine/history-inserts";
import type { ImportedChatRow } from "@/server/db/sql/machine/import-inserts";
import { toContentParts } from "@/server/db/sql/rows/part-columns";
import { toInitialTitle } from "@/server/machine/initial-title";
import { settle } from "@/server/tools/settle";

export type StoredFiles = ReadonlyMap<string, Artifact>;

type RowReader = {
  /** The files of the chat that could be stored, by their ids in the document. */
  files: StoredFiles;
  /** Who imports. */
  by: string;
  newId: () => string;
};

/** What of a chat only its import knows. */
type Origin = Pick<ImportedChatRow, "modelId" | "forkedFromId">;

export type ChatRows = { chat: ImportedChatRow; messages: PlacedMessage[] };

/** Converts a document to the rows of a chat. */
export const toChatRows = (
  document: ExportedChat,
  { origin, ...reader }: RowReader & { origin: Origin },
): ChatRows => {
  const id = reader.newId();
  const messages = toMessageRows(document.messages, id, reader);
  const { forked_from: fork, created_at, updated_at } = document;
  return {
    chat: {
      id,
      title: toTitle(document),
      archivedAt: document.archived ? new Date(updated_at) : null,
      pinned: document.pinned,
      labels: document.labels,
      systemPrompt: document.system_prompt,
      parameters: ChatParameters.parse(document),
      turnId: messages.at(-1)?.turnId ?? id,
      lastSeq: messages.length,
      createdAt: new Date(created_at),
      updatedAt: new Date(updated_at),
      forkedFromSeq: fork?.messages ?? null,
      importId: null,
      ...origin,
    },
    messages,
  };
};

const toTitle = ({ title, messages }: ExportedChat): string => {
  if (title.trim() !== "") return title.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const first = messages.find(({ role }) => role === "user")?.content ?? "";
  const texts = typeof first === "string" ? [first] : first.map((part) => getText(part));
  return toInitialTitle(texts.join(" ")) || "Imported chat";
};

const getText = (part: { type: string; text?: string }): string =>
  part.type === "text" ? (part.text ?? "") : "";

const toMessageRows = (
  messages: readonly ExportedMessage[],
  chatId: string,
  reader: RowReader,
): PlacedMessage[] => {
  let turnId = reader.newId();
  const toCallId = createCallIds();
  return messages.map((message, index) => {
    if (message.role === "user" && index > 0) turnId = reader.newId();
    const isLast = index === messages.length - 1;
    return {
      id: reader.newId(),
      chatId,
      seq: index + 1,
      turnId,
      role: message.role,
      createdBy: message.role === "user" || message.role === "system" ? reader.by : null,
      createdAt: message.created_at === undefined ? undefined : new Date(message.created_at),
      parts: toParts(message, { ...reader, toCallId }),
      ...toEnding(message, isLast),
    };
  });
};

const toEnding = (message: ExportedMessage, isLast: boolean) => {
  if (message.role !== "assistant") return { finishReason: null };
  const { content, model, finish_reason, interrupted } = message;
  const hasCalls = typeof content !== "string" && content.some(({ type }) => type === "tool_call");
  return {
    // No model has read the results, as after a turn that rests.
    finishReason: isLast && hasCalls ? ("auto-submit-off" as const) : (finish_reason ?? null),
    ...(model !== undefined && { model: model + IMPORTED_SUFFIX }),
    ...(interrupted !== undefined && { interrupted }),
  };
};

/** Gives each call of a chat an id of its own. */
const createCallIds = () => {
  const taken = new Set<string>();
  /** The next number of an id that has been there before. */
  const numbers = new Map<string, number>();
  return (id: string): string => {
    let number = numbers.get(id) ?? 2;
    let free = id;
    for (; taken.has(free); number += 1) free = `${id}_${number}`;
    taken.add(free);
    numbers.set(id, number);
    return free;
  };
};

type PartReader = RowReader & { toCallId: (id: string) => string };

const toParts = (message: ExportedMessage, reader: PartReader): GivenPartRow[] => {
  switch (message.role) {
    case "system":
      return [{ type: "text", text: message.content }];
    case "user":
      return toUserParts(message.content, reader);
    case "assistant":
      return toList(message.content).map((part) => toAnswerPart(part, reader));
    case "event":
      return message.content.map((part) => toEventPart(part, reader));
  }
};

const toList = <Part>(content: string | Part[]): (Part | TextPartRow)[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

const MISSING_FILE = "[A file that is not in the import]";

type UserContent = Extract<ExportedMessage, { role: "user" }>["content"];

const toUserParts = (content: UserContent, { files }: PartReader): GivenPartRow[] => {
  const parts = toList(content).map((part): TextPartRow | FilePartRow => {
    if (part.type === "text") return { type: "text", text: part.text };
    const file = files.get(part.file_id);
    const [row] = file ? toContentParts([toFilePart(file)]) : [];
    return row ?? { type: "text", text: MISSING_FILE };
  });
  return parts.length > 0 ? parts : [{ type: "text", text: "[An empty message]" }];
};

const toAnswerPart = (part: ExportedAnswerPart, reader: PartReader): GivenPartRow => {
  switch (part.type) {
    case "text":
      return { type: "text", text: replaceLinks(part.text, reader.files) };
    case "reasoning":
      return part;
    case "source":
      return {
        type: "source",
        data: { url: part.url, ...(part.title !== undefined && { title: part.title }) },
      };
    case "file":
      return { type: "text", text: toLink(reader.files.get(part.file_id)) };
    case "tool_call":
      return toCall(part, reader);
  }
};

/** Files of answers are links in their texts (ADR 0105), which name them by other ids here. */
const replaceLinks = (text: string, files: StoredFiles): string =>
  text.replaceAll(FILE_URLS, (url) => {
    const file = files.get(url.slice(toFileUrl("").length));
    return file ? toFileUrl(file.id) : url;
  });

const toLink = (file: Artifact | undefined): string => {
  if (!file) return MISSING_FILE;
  const name = file.name.replaceAll(/[\\[\]]/g, "\\$&");
  return `${isRasterImage(file.media_type) ? "!" : ""}[${name}](${toFileUrl(file.id)})`;
};

const toArtifacts = (ids: readonly string[] | undefined, files: StoredFiles): Artifact[] =>
  (ids ?? []).flatMap((id) => files.get(id) ?? []);

type Call = Extract<ExportedAnswerPart, { type: "tool_call" }>;

const toCall = (part: Call, { files, by, toCallId }: PartReader): GivenPartRow => {
  const artifacts = toArtifacts(part.files, files);
  return {
    type: "tool_call",
    toolCallId: toCallId(part.tool_call_id),
    toolName: part.tool_name,
    // It has run elsewhere.
    kind: "dynamic",
    args: part.args,
    approvedArgs: part.approved_args ?? null,
    approvalScope: null,
    approved: false,
    elicitations: null,
    ...settle({ type: "recorded", state: part.state, output: part.output, by }),
    forUser: part.for_user ?? null,
    artifacts: artifacts.length > 0 ? artifacts : null,
  };
};

type EventPart = Extract<ExportedMessage, { role: "event" }>["content"][number];

const toEventPart = (part: EventPart, { files, newId }: PartReader): GivenPartRow => {
  switch (part.type) {
    case "text":
      return part;
    case "report": {
      const { kind, label, state, output, tool_call_id } = part;
      const artifacts = toArtifacts(part.files, files);
      const report = { output, for_user: part.for_user ?? null, artifacts };
      return {
        type: "report",
        data: { task_id: newId(), tool_call_id, kind, label, state, ...report },
      };
    }
    case "summary": {
      const { type, instructions, ...data } = part;
      return { type, data: { ...data, ...(instructions !== undefined && { instructions }) } };
    }
  }
};
