import type {
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import { maskSecrets } from "@/server/mask-secrets";

/** Parts of one result that are read; a server could send millions of empty ones. */
const MAX_PARTS = 1_000;

export type CommandText = { text: string } | { problem: string };

/** Joins the messages of a prompt to the text of one message of a person. */
export const toPromptText = ({ messages }: GetPromptResult): CommandText =>
  joinTexts(
    "prompt",
    messages.map(({ role, content }) => {
      const text = describeBlock(content);
      // The person sends all of them: what the server wrote for the model is marked.
      return role === "assistant" ? `Assistant: ${text}` : text;
    }),
  );

/** Joins the texts of a resource, each below its URI. */
export const toResourceText = ({ contents }: ReadResourceResult): CommandText =>
  joinTexts("resource", contents.map(describeResource));

type ResourceContents = ReadResourceResult["contents"][number];

const describeResource = (contents: ResourceContents): string =>
  "text" in contents
    ? `${contents.uri}:\n${contents.text}`
    : `[${contents.uri} was left out: it is a file${of(contents.mimeType)}]`;

const describeBlock = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return describeResource(block.resource);
    case "resource_link":
      return `Link to ${block.name}: ${block.uri}`;
    default:
      return `[a part was left out: it is a file${of("mimeType" in block ? block.mimeType : undefined)}]`;
  }
};

const of = (mediaType: string | undefined): string =>
  mediaType === undefined ? "" : ` of the type ${mediaType.slice(0, 100)}`;

const joinTexts = (what: "prompt" | "resource", texts: readonly string[]): CommandText => {
  if (texts.length > MAX_PARTS) return { problem: `The ${what} has more than ${MAX_PARTS} parts.` };
  const length = texts.reduce((sum, text) => sum + text.length + 2, 0);
  if (length > MAX_TEXT_LENGTH) return { problem: describeLength(what, length) };
  // A message has no NUL characters and no half of a character.
  const text = maskSecrets(texts.join("\n\n")).replaceAll("\0", "").toWellFormed();
  return text.trim() === "" ? { problem: `The ${what} is empty.` } : { text };
};

const describeLength = (what: string, length: number): string =>
  `The ${what} has ${length.toLocaleString("en")} characters; a message may have ${MAX_TEXT_LENGTH.toLocaleString("en")}.`;
