import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { FilePartRow, HistoryMessage } from "@/server/db/chats/rows";
import type { MessageFiles, ShownFile } from "./message-files";
import { escapeOwnTags } from "./own-tags";

export type UserContentPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

type ContentReader = {
  files: MessageFiles;
  /** Ids of the files that the prompt has; those that are added enter it. */
  given: Set<string>;
};

/**
 * Converts the parts of a user message; omits blank texts, which providers reject. A file is named as data before what the
 * model gets of it, as neither its name nor its text is the word of the user.
 */
export const toUserContent = (
  message: HistoryMessage,
  { files, given }: ContentReader,
): UserContentPart[] =>
  message.parts.flatMap((part): UserContentPart[] => {
    if (part.type === "text" && part.text.trim() !== "") {
      return [{ type: "text", text: escapeOwnTags(part.text) }];
    }
    if (part.type !== "file") return [];
    const { file_id } = part.data;
    const file: ShownFile = given.has(file_id)
      ? { type: "note", note: "It is above, in an earlier message." }
      : (files.get(file_id) ?? { type: "note", note: "It is not shown here." });
    given.add(file_id);
    return toFileContent(part.data, file);
  });

const toFileContent = (
  { file_id, name, media_type, size }: FilePartRow["data"],
  file: ShownFile,
): UserContentPart[] => {
  const facts = {
    name,
    artifact_id: file_id,
    media_type,
    size,
    ...(file.type === "note" && {
      ...(file.path !== undefined && { path: file.path }),
      ...(file.note !== "" && { note: file.note }),
    }),
  };
  const text = file.type === "text" ? `\n${file.text}\n` : "";
  const tag: LanguageModelV4TextPart = {
    type: "text",
    text: `<attached_file>${escapeOwnTags(JSON.stringify(facts) + text)}</attached_file>`,
  };
  if (file.type !== "media") return [tag];
  const { mediaType, bytes } = file;
  const data = { type: "data" as const, data: bytes };
  return [tag, { type: "file", filename: name, mediaType, data }];
};
