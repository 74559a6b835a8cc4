import {
  type ExportedAnswerPart,
  type ExportedFile,
  type ExportedMessage,
  toEntryPath,
} from "@/contract/exported-chat";
import type { JsonValue } from "@/contract/json";
import type { ChatToExport } from "@/server/db/chats/chat-export-reads";
import type { Viewer } from "@/server/db/chats/viewer";
import type { Queryable } from "@/server/db/connection/database";
import { createMessageReader, readFiles } from "./read-chat";

type Reader = { db: Queryable; viewer: Viewer };

/**
 * The Markdown document of a chat in pieces.
 *
 * @param hasFiles whether its files are in the same ZIP; then they are links.
 */
export async function* writeChatMarkdown(
  reader: Reader,
  chat: ChatToExport,
  hasFiles: boolean,
): AsyncGenerator<string, void, undefined> {
  const files = new Map((await readFiles(reader, chat.id)).map((file) => [file.file_id, file]));
  const writer = { files, hasFiles };
  yield `# ${toLine(chat.title)}\n\n${toDate(chat.createdAt.toISOString())}\n`;
  if (chat.systemPrompt !== null) yield `\n## Instructions\n\n${chat.systemPrompt}\n`;
  const { read } = createMessageReader(reader, chat);
  for await (const messages of read()) {
    for (const message of messages) yield writeMessage(message, writer);
  }
}

type Writer = { files: ReadonlyMap<string, ExportedFile>; hasFiles: boolean };

const toLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const toDate = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;

const NAMES = { system: "Instructions", user: "You", event: "Note" } as const;

const writeMessage = (message: ExportedMessage, writer: Writer): string => {
  const name = message.role === "assistant" ? (message.model ?? "Assistant") : NAMES[message.role];
  const time = message.created_at === undefined ? "" : ` · ${toDate(message.created_at)}`;
  const { content } = message;
  const blocks =
    typeof content === "string" ? [content] : content.map((part) => writePart(part, writer));
  const note = message.role === "assistant" && message.interrupted ? ["_Interrupted._"] : [];
  return `\n## ${toLine(name)}${time}\n\n${[...blocks, ...note].join("\n\n")}\n`;
};

type MessagePart = Exclude<ExportedMessage["content"], string>[number];

const writePart = (part: MessagePart, writer: Writer): string => {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return fold("Reasoning", part.text);
    case "source":
      return `Source: [${escapeLabel(part.title ?? part.url)}](<${part.url.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`;
    case "file":
      return writeFile(part.file_id, writer);
    case "tool_call":
      return writeCall(part, writer);
    case "report":
      return [
        `Report of ${toLine(part.label)}: ${part.state}`,
        part.for_user ?? fence(part.output),
        ...(part.files ?? []).map((id) => writeFile(id, writer)),
      ].join("\n\n");
    case "summary":
      return part.reason === "cleared"
        ? "_The model reads the chat from here on._"
        : "_Summary of what came before:_";
  }
};

type Call = Extract<ExportedAnswerPart, { type: "tool_call" }>;

const writeCall = (
  { tool_name, state, args, output, for_user, files = [] }: Call,
  writer: Writer,
): string =>
  [
    `Tool \`${tool_name}\`: ${state}`,
    fold("Arguments", fence(args)),
    fold("Output", for_user ?? fence(output)),
    ...files.map((id) => writeFile(id, writer)),
  ].join("\n\n");

const fold = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;

/** A block of code, with a fence that its content does not have. */
const fence = (value: JsonValue): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const longest = [...text.matchAll(/`{3,}/g)].reduce(
    (most, [run]) => Math.max(most, run.length),
    2,
  );
  const marks = "`".repeat(longest + 1);
  return `${marks}${typeof value === "string" ? "" : "json"}\n${text}\n${marks}`;
};

const escapeLabel = (text: string): string => toLine(text).replaceAll(/[\\[\]]/g, "\\$&");

const writeFile = (id: string, { files, hasFiles }: Writer): string => {
  const file = files.get(id);
  if (!file) return "File: no longer in the chat";
  if (!hasFiles) return `File: ${escapeLabel(file.name)}`;
  const isImage = file.media_type.startsWith("image/");
  const path = toEntryPath(file).split("/").map(encodeURIComponent).join("/");
  return `${isImage ? "!" : ""}[${escapeLabel(file.name)}](${path})`;
};
