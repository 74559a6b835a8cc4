import type {
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import { MAX_MESSAGE_FILES, MAX_TEXT_LENGTH } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { maskSecrets } from "@/server/mask-secrets";
import { ToolFailure } from "@/server/tools/tool-result";
import { toFileName } from "./convert-result";

/** Parts of one result that are read; a server could send millions of empty ones. */
const MAX_PARTS = 1_000;

/** What a command stands for in a message. */
export type CommandContent = { text: string; files: readonly Artifact[] } | { problem: string };

/** Stores a file of a command. Rejects with a `ToolFailure` when it is refused. */
export type SaveCommandFile = (file: {
  name: string;
  /** What the server says that it is. */
  mediaType: string | undefined;
  bytes: Uint8Array;
}) => Promise<Artifact>;

/** A text, or a file in base64 with the text before it. */
type Part = { text: string; file?: { name: string; mediaType: string | undefined; data: string } };

type Converter<Result> = (result: Result, save: SaveCommandFile) => Promise<CommandContent>;

/** Joins the messages of a prompt to one message of a person. Rejects when `save` does, unless with a `ToolFailure`. */
export const toPromptContent: Converter<GetPromptResult> = ({ messages }, save) =>
  joinParts(
    "prompt",
    messages.map(({ role, content }) => {
      const part = toPart(content);
      // The person sends all of them: what the server wrote for the model is marked.
      return role === "assistant" ? { ...part, text: `Assistant: ${part.text}` } : part;
    }),
    save,
  );

/** Joins the texts and files of a resource, each below its URI. Rejects as `toPromptContent` does. */
export const toResourceContent: Converter<ReadResourceResult> = ({ contents }, save) =>
  joinParts("resource", contents.map(toResourcePart), save);

type ResourceContents = ReadResourceResult["contents"][number];

const toResourcePart = (contents: ResourceContents): Part => {
  const { uri, mimeType: mediaType } = contents;
  if ("text" in contents) return { text: `${uri}:\n${contents.text}` };
  const name = uri.split(/[/\\]/).at(-1) ?? "";
  return { text: `${uri}: `, file: { name, mediaType, data: contents.blob } };
};

const toPart = (block: ContentBlock): Part => {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "audio":
      return {
        text: "",
        file: { name: block.type, mediaType: block.mimeType, data: block.data },
      };
    case "resource":
      return toResourcePart(block.resource);
    case "resource_link":
      return { text: `Link to ${block.name}: ${block.uri}` };
    default:
      return { text: "[a part of a type that is not known here was left out]" };
  }
};

const joinParts = async (
  what: "prompt" | "resource",
  parts: readonly Part[],
  save: SaveCommandFile,
): Promise<CommandContent> => {
  if (parts.length > MAX_PARTS) return { problem: `The ${what} has more than ${MAX_PARTS} parts.` };
  // Before a file is stored for nothing.
  const tooLong = findLengthProblem(what, joinTexts(parts));
  if (tooLong) return tooLong;
  const files: Artifact[] = [];
  const saved: Part[] = [];
  for (const [index, part] of parts.entries()) {
    const place = { save, number: index + 1, count: files.length };
    const { text, artifact } = await savePart(part, place);
    saved.push({ text });
    if (artifact) files.push(artifact);
  }
  // Where there are only files, their places say nothing.
  const isFilesOnly = parts.every((part) => part.file) && files.length === parts.length;
  const text = isFilesOnly ? "" : maskSecrets(joinTexts(saved));
  if (text.trim() === "" && files.length === 0) return { problem: `The ${what} is empty.` };
  return findLengthProblem(what, text) ?? { text, files };
};

/** A message has no NUL characters and no half of a character. */
const joinTexts = (parts: readonly Part[]): string =>
  parts
    .map(({ text }) => text)
    .join("\n\n")
    .replaceAll("\0", "")
    .toWellFormed();

const findLengthProblem = (what: string, { length }: string): { problem: string } | undefined =>
  length <= MAX_TEXT_LENGTH
    ? undefined
    : {
        problem: `The ${what} has ${length.toLocaleString("en")} characters; a message may have ${MAX_TEXT_LENGTH.toLocaleString("en")}.`,
      };

type FilePlace = { save: SaveCommandFile; number: number; /** Files before it. */ count: number };

/** @returns the text of a part: of a file its place in the text, or why it is missing. */
const savePart = async (
  { text, file }: Part,
  { save, number, count }: FilePlace,
): Promise<{ text: string; artifact?: Artifact }> => {
  if (!file) return { text };
  const { mediaType, data } = file;
  const name = toFileName(file.name, number, mediaType ?? "");
  const leaveOut = (reason: string) => ({ text: `${text}[${name} was left out: ${reason}]` });
  if (count >= MAX_MESSAGE_FILES) {
    return leaveOut(`a message can have ${MAX_MESSAGE_FILES} files`);
  }
  const bytes = Buffer.from(data, "base64");
  if (bytes.length === 0) return leaveOut("it is empty");
  try {
    const artifact = await save({ name, mediaType, bytes });
    return { text: `${text}[file ${artifact.name}]`, artifact };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return leaveOut(error.message);
  }
};
