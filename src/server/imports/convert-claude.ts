import type { ExportedMessage } from "@/contract/exported-chat";
import { isRecord } from "@/lib/is-record";
import type { Conversation } from "./conversation";
import { type AnswerFields, createMessageBuilder, type MessageBuilder } from "./message-builder";
import { toArray, toRecordOrEmpty, toText, toTextOrUndefined, toTime } from "./read-values";
import { type Finds, toConversation } from "./to-conversation";

export const isClaude = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value.chat_messages);

/** @returns undefined when it has no messages. */
export const convertClaude = (value: unknown): Conversation | undefined => {
  const given = toRecordOrEmpty(value);
  const id = toText(given.uuid);
  if (id === "") throw new Error("it has no id");
  const nodes = toNodes(toArray(given.chat_messages));
  return toConversation({
    source: "claude",
    id,
    title: toText(given.name),
    archived: false,
    pinned: given.is_starred === true,
    created_at: toTime(given.created_at),
    updated_at: toTime(given.updated_at),
    nodes,
    current: toTextOrUndefined(given.current_leaf_message_uuid),
    toMessages: buildMessages,
  });
};

/** Messages name those before them, or are only in their order. */
const toNodes = (messages: readonly unknown[]) => {
  const given = messages.map(toRecordOrEmpty);
  const ids = new Set(given.map(({ uuid }) => toText(uuid)));
  const hasParents = given.some(({ parent_message_uuid: parent }) => ids.has(toText(parent)));
  return given.map((message, index) => {
    const before = index > 0 ? toId(given[index - 1], index - 1) : null;
    const parent = hasParents ? toText(message.parent_message_uuid) : before;
    return { id: toId(message, index), parent, value: { ...message, place: index } };
  });
};

const toId = (message: Record<string, unknown> | undefined, index: number): string =>
  toText(message?.uuid) || `message ${index}`;

type Given = Record<string, unknown> & { place: number };

const buildMessages = (values: readonly Given[], finds: Finds): ExportedMessage[] => {
  const builder = createMessageBuilder();
  for (const message of values) {
    if (message.sender === "assistant") addAnswer(builder, message);
    else addQuestion(builder, message, finds);
  }
  return builder.build();
};

/** Older exports have no blocks, or only an empty text in them. */
const listBlocks = ({ content, text }: Given): Record<string, unknown>[] => {
  const blocks = toArray(content).map(toRecordOrEmpty);
  const isEmpty = blocks.every(
    (block) => block.type === "text" && toText(block.text).trim() === "",
  );
  return isEmpty ? [{ type: "text", text }] : blocks;
};

const addQuestion = (builder: MessageBuilder, message: Given, finds: Finds): void => {
  const texts = listBlocks(message).flatMap(({ type, text }) => {
    const isText = type === "text" || type === "voice_note";
    return isText && toText(text).trim() !== ""
      ? [{ type: "text" as const, text: toText(text) }]
      : [];
  });
  const time = toTime(message.created_at);
  builder.addQuestion(
    [...readAttachments(message, finds), ...noteFiles(message, finds), ...texts],
    time,
  );
};

/** Names whose endings say that they are texts. */
const TEXT_NAME =
  /\.(?:txt|md|csv|tsv|json|xml|html?|css|[jt]sx?|py|java|c|cpp|h|rs|go|rb|sh|sql|ya?ml|toml|log|tex)$/i;

/** Of files whose text was read, an export has the text. */
const readAttachments = (message: Given, { files }: Finds) =>
  toArray(message.attachments).flatMap((attachment, index) => {
    const { file_name: name, extracted_content: content } = toRecordOrEmpty(attachment);
    const text = toText(content);
    if (text === "") return [];
    const id = `${toText(message.uuid)}/${message.place}/${index}`;
    const given = toText(name) || "pasted.txt";
    files.set(id, { name: TEXT_NAME.test(given) ? given : `${given}.txt`, content: { text } });
    return [{ type: "file" as const, file_id: id }];
  });

/** Of other files, it has the names. */
const noteFiles = (message: Given, { notes }: Finds) =>
  [...toArray(message.files), ...toArray(message.files_v2)].flatMap((file) => {
    const name = toTextOrUndefined(toRecordOrEmpty(file).file_name);
    if (name === undefined) return [];
    notes.add(`The file "${name.slice(0, 100)}" is missing: exports of Claude do not have it.`);
    return [{ type: "text" as const, text: `[A file that is not in the export: ${name}]` }];
  });

const addAnswer = (builder: MessageBuilder, message: Given): void => {
  const fields = toAnswerFields(message);
  for (const [index, block] of listBlocks(message).entries()) {
    const fallbackId = `${toText(message.uuid)}_${index}`;
    ADD_BLOCK[toText(block.type)]?.(block, { builder, fields, fallbackId });
  }
};

const toAnswerFields = (message: Given): AnswerFields => {
  const time = toTime(message.created_at);
  const model = toTextOrUndefined(message.model)?.slice(0, 200);
  const isCancelled = message.stop_reason === "user_canceled";
  return {
    ...(time !== undefined && { created_at: time }),
    ...(model !== undefined && { model }),
    ...(isCancelled && { finish_reason: "interrupted" as const, interrupted: true }),
  };
};

type Block = Record<string, unknown>;
type BlockWriter = { builder: MessageBuilder; fields: AnswerFields; fallbackId: string };

const addText = (block: Block, { builder, fields }: BlockWriter): void => {
  builder.addPart({ type: "text", text: toText(block.text) }, fields);
  for (const source of readCitations(block)) builder.addPart(source, fields);
};

/** By their types. Budgets and flags are not of the conversation. */
const ADD_BLOCK: Partial<Record<string, (block: Block, writer: BlockWriter) => void>> = {
  text: addText,
  voice_note: addText,
  thinking: ({ thinking }, { builder, fields }) => {
    builder.addPart({ type: "reasoning", text: toText(thinking) }, fields);
  },
  tool_use: ({ id, name, input }, { builder, fields, fallbackId }) => {
    builder.addCall({ id: toText(id) || fallbackId, name: toText(name), args: input }, fields);
  },
  tool_result: (block, { builder, fields, fallbackId }) => {
    const id = toText(block.tool_use_id) || fallbackId;
    const isError = block.is_error === true;
    const output = readResult(block.content);
    builder.addOutcome({ id, name: toText(block.name), output, isError }, fields);
  },
};

const readCitations = ({ citations }: Record<string, unknown>) => {
  const sources = toArray(citations).flatMap((citation) => {
    const { url, title, details } = toRecordOrEmpty(citation);
    const address = toText(url) || toText(toRecordOrEmpty(details).url);
    const name = toTextOrUndefined(title);
    if (!/^https?:\/\//.test(address)) return [];
    return [{ type: "source" as const, url: address, ...(name !== undefined && { title: name }) }];
  });
  return [...new Map(sources.map((source) => [source.url, source])).values()];
};

/** Texts are joined; anything else stays as it is. */
const readResult = (content: unknown): unknown => {
  if (!Array.isArray(content)) return content;
  const texts = content.map((block) => {
    const { type, text } = toRecordOrEmpty(block);
    return type === "text" && typeof text === "string" ? text : undefined;
  });
  return texts.every((text) => text !== undefined) ? texts.join("\n\n") : content;
};
