import type { ExportedAnswerPart, ExportedMessage } from "@/contract/exported-chat";
import { tryParseJson } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";
import type { Conversation } from "./conversation";
import { type AnswerFields, createMessageBuilder, type MessageBuilder } from "./message-builder";
import { toArray, toRecordOrEmpty, toText, toTextOrUndefined, toTime } from "./read-values";
import { type Finds, toConversation } from "./to-conversation";

export const isChatgpt = (value: unknown): boolean => isRecord(value) && isRecord(value.mapping);

/** @returns undefined when it has no messages. */
export const convertChatgpt = (value: unknown): Conversation | undefined => {
  const given = toRecordOrEmpty(value);
  const id = toText(given.conversation_id) || toText(given.id);
  if (id === "") throw new Error("it has no id");
  const nodes = Object.entries(toRecordOrEmpty(given.mapping)).map(([nodeId, node]) => {
    const { parent, message } = toRecordOrEmpty(node);
    return { id: nodeId, parent: typeof parent === "string" ? parent : null, value: message };
  });
  return toConversation({
    source: "chatgpt",
    id,
    title: toText(given.title),
    archived: given.is_archived === true,
    pinned: given.is_starred === true,
    created_at: toTime(given.create_time),
    updated_at: toTime(given.update_time),
    nodes,
    current: toTextOrUndefined(given.current_node),
    toMessages: buildMessages,
  });
};

type Given = {
  id: string;
  role: string;
  name: string;
  recipient: string;
  type: string;
  content: Record<string, unknown>;
  metadata: Record<string, unknown>;
  time: string | undefined;
};

const readMessage = (value: unknown): Given => {
  const { id, author, content, metadata, recipient, create_time } = toRecordOrEmpty(value);
  const { role, name } = toRecordOrEmpty(author);
  return {
    id: toText(id),
    role: toText(role),
    name: toText(name),
    recipient: toText(recipient) || "all",
    type: toText(toRecordOrEmpty(content).content_type),
    content: toRecordOrEmpty(content),
    metadata: toRecordOrEmpty(metadata),
    time: toTime(create_time),
  };
};

const buildMessages = (values: readonly unknown[], finds: Finds): ExportedMessage[] => {
  const builder = createMessageBuilder();
  for (const value of values) {
    if (!isRecord(value)) continue;
    const given = readMessage(value);
    if (given.type === "user_editable_context") addInstructions(builder, given);
    else if (given.metadata.is_visually_hidden_from_conversation !== true) {
      ADD[given.role]?.(builder, given, finds);
    }
  }
  return builder.build();
};

const addInstructions = (builder: MessageBuilder, { content, time }: Given): void => {
  const texts = [content.user_profile, content.user_instructions].map(toText);
  builder.addInstructions(texts.filter((text) => text.trim() !== "").join("\n\n"), time);
};

type Add = (builder: MessageBuilder, given: Given, finds: Finds) => void;

/** By the role of the author. */
const ADD: Partial<Record<string, Add>> = {
  system: (builder, given, finds) => {
    const text = readParts(given, finds).flatMap((part) => ("text" in part ? part.text : []));
    builder.addInstructions(text.join("\n\n"), given.time);
  },
  user: (builder, given, finds) => {
    const parts = readParts(given, finds).filter((part) => part.type !== "source");
    const isNamed = new Set(parts.map((part) => ("file_id" in part ? part.file_id : "")));
    const attached = readAttachments(given, finds).filter(({ file_id }) => !isNamed.has(file_id));
    builder.addQuestion([...attached, ...parts], given.time);
  },
  assistant: (builder, given, finds) => {
    const fields = toAnswerFields(given);
    if (given.recipient !== "all") {
      const text = readCode(given, finds);
      const args = tryParseJson(text);
      const code = isRecord(args) ? args : { code: text };
      builder.addCall({ id: given.id, name: given.recipient, args: code }, fields);
      return;
    }
    for (const text of readThoughts(given)) builder.addPart({ type: "reasoning", text }, fields);
    for (const part of readParts(given, finds)) builder.addPart(part, fields);
    for (const source of readSources(given)) builder.addPart(source, fields);
  },
  tool: (builder, given, finds) => {
    const parts = readParts(given, finds);
    const texts = parts.flatMap((part) => ("text" in part ? part.text : []));
    const isError = given.type === "system_error";
    const output = texts.join("\n\n");
    const fields = toAnswerFields({ ...given, metadata: {} });
    builder.addOutcome({ id: given.id, name: given.name || "tool", output, isError }, fields);
    // Images that a tool has made are a part of the answer.
    for (const part of parts) if (part.type === "file") builder.addPart(part, fields);
  },
};

const toAnswerFields = ({ metadata, time }: Given): AnswerFields => {
  const model = toTextOrUndefined(metadata.model_slug)?.slice(0, 200);
  const ending = toText(toRecordOrEmpty(metadata.finish_details).type);
  return {
    ...(time !== undefined && { created_at: time }),
    ...(model !== undefined && { model }),
    ...(ending === "interrupted" && { finish_reason: "interrupted" as const, interrupted: true }),
    ...(ending === "max_tokens" && { finish_reason: "length" as const }),
  };
};

const readThoughts = ({ type, content }: Given): string[] =>
  type === "thoughts"
    ? toArray(content.thoughts).map((thought) => {
        const { summary, content: text } = toRecordOrEmpty(thought);
        return [toText(summary), toText(text)].filter((one) => one.trim() !== "").join("\n\n");
      })
    : [];

const readCode = (given: Given, finds: Finds): string =>
  typeof given.content.text === "string"
    ? toText(given.content.text)
    : readParts(given, finds)
        .flatMap((part) => ("text" in part ? part.text : []))
        .join("\n");

type Part = Exclude<ExportedAnswerPart, { type: "tool_call" } | { type: "reasoning" }>;

/** Reads what people see of a message, by the type of its content. */
const readParts = (given: Given, finds: Finds): Part[] => {
  const { type, content } = given;
  switch (type) {
    case "text":
    case "multimodal_text":
      return toArray(content.parts).flatMap((part) => readPart(part, finds));
    case "code":
      return toTextPart(toBlock(toText(content.text), toText(content.language)));
    case "execution_output":
    case "system_error":
      return toTextPart(toText(content.text));
    case "tether_quote":
      return readQuote(content);
    case "tether_browsing_display":
      return toTextPart(toText(content.result));
    // Thoughts are reasoning; the others are said by what is around them, or are not of the conversation.
    case "thoughts":
    case "reasoning_recap":
    case "model_editable_context":
      return [];
    default: {
      finds.notes.add(
        `Messages of the type "${type.slice(0, 50)}" are imported as far as they have a text.`,
      );
      const texts = [content.text, ...toArray(content.parts)].map(toText);
      return texts.flatMap(toTextPart);
    }
  }
};

/** Marks of citations, which stand in private characters. */
const MARKS = /\uE200[^\uE200\uE201]*\uE201/g;

const toTextPart = (text: string): Part[] => {
  const shown = text.replaceAll(MARKS, "");
  return shown.trim() === "" ? [] : [{ type: "text", text: shown }];
};

const toBlock = (text: string, language: string): string =>
  text.trim() === "" || text.includes("```")
    ? text
    : `\`\`\`${/^[\w+#-]{1,20}$/.test(language) && language !== "unknown" ? language : ""}\n${text}\n\`\`\``;

const readPart = (part: unknown, finds: Finds): Part[] => {
  if (typeof part === "string") return toTextPart(toText(part));
  const { content_type: type, asset_pointer: pointer, text } = toRecordOrEmpty(part);
  if (typeof text === "string") return toTextPart(toText(text));
  if (typeof pointer === "string") return readPointer(pointer, finds);
  // The voice of the person; its transcription is another part.
  if (type === "real_time_user_audio_video_asset_pointer") return [];
  finds.notes.add(`Parts of the type "${toText(type).slice(0, 50)}" are left out.`);
  return [];
};

const FILE_ID = /^file[-_][A-Za-z0-9]+/;

/** An address such as `file-service://file-Ab12` or `sediment://file_0012#…`. */
const readPointer = (pointer: string, { files, notes }: Finds): Part[] => {
  const [id] = FILE_ID.exec(pointer.replace(/^[\w-]*:\/\//, "")) ?? [];
  if (id === undefined) {
    notes.add("A file has an address of a form that is not known.");
    return [];
  }
  if (!files.has(id)) files.set(id, { name: `${id}.png`, content: { prefix: id } });
  return [{ type: "file", file_id: id }];
};

const readAttachments = ({ metadata }: Given, { files }: Finds) =>
  toArray(metadata.attachments).flatMap((attachment) => {
    const { id, name } = toRecordOrEmpty(attachment);
    const [fileId] = FILE_ID.exec(toText(id)) ?? [];
    if (fileId === undefined) return [];
    files.set(fileId, { name: toText(name) || fileId, content: { prefix: fileId } });
    return [{ type: "file" as const, file_id: fileId }];
  });

const readQuote = ({ url, title, text }: Record<string, unknown>): Part[] => [
  ...toTextPart(toText(text)),
  ...toSource(url, title),
];

type Source = Extract<Part, { type: "source" }>;

const toSource = (url: unknown, title: unknown): Source[] => {
  const address = toText(url);
  const name = toTextOrUndefined(title);
  if (!/^https?:\/\//.test(address)) return [];
  return [{ type: "source", url: address, ...(name !== undefined && { title: name }) }];
};

/** Most sources of one answer. */
const MAX_SOURCES = 50;

const readSources = ({ metadata }: Given): Source[] => {
  const references = toArray(metadata.content_references).flatMap((reference) =>
    toArray(toRecordOrEmpty(reference).items),
  );
  const cited = toArray(metadata.citations).map((citation) => toRecordOrEmpty(citation).metadata);
  const sources = [...references, ...cited].flatMap((item) => {
    const { url, title } = toRecordOrEmpty(item);
    return toSource(url, title);
  });
  const byUrl = new Map(sources.map((source) => [source.url, source]));
  return [...byUrl.values()].slice(0, MAX_SOURCES);
};
