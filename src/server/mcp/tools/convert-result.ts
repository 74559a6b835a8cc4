import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { UNKNOWN_MEDIA_TYPE } from "@/server/tools/artifacts/detect-media-type";
import type { NewArtifact } from "@/server/tools/tool-context";
import { ToolFailure, type ToolResult } from "@/server/tools/tool-result";

/** Parts of one result that are read; a server could send millions of empty ones. */
const MAX_BLOCKS = 1_000;
/** Files of one result that are kept; a server could send any number. */
const MAX_FILES = 20;
/** Longer texts are not compared with the data that they may repeat. */
const MAX_COMPARED_LENGTH = 1024 * 1024;
/** Longest name of a file. */
const MAX_NAME_LENGTH = 200;

type Converted = { text: string; artifact?: Artifact };

/** Stores a file. Rejects with a `ToolFailure` when there is no room for it. */
type Save = (file: NewArtifact) => Promise<Artifact>;

/** Converts the result of a server: texts and links for the model, and files to artifacts. */
export const convertResult = async (
  { content, structuredContent, isError = false }: CallToolResult,
  save: Save,
): Promise<ToolResult<string>> => {
  const blocks = content.slice(0, MAX_BLOCKS);
  const converted: Converted[] = [];
  let files = 0;
  for (const [index, block] of blocks.entries()) {
    const each = await convertBlock(block, { save, number: index + 1, files });
    if (each.artifact) files += 1;
    converted.push(each);
  }
  const texts = converted.map(({ text }) => text).filter((text) => text !== "");
  const omitted = content.length - blocks.length;
  if (omitted > 0) texts.push(`[${omitted} more parts of the result were left out]`);
  if (structuredContent !== undefined && !repeatsData(blocks, structuredContent)) {
    texts.push(JSON.stringify(structuredContent, refuseRounded));
  }
  return {
    forLlm: texts.join("\n\n"),
    silent: false,
    isError,
    responseHandled: false,
    artifacts: converted.flatMap(({ artifact }) => artifact ?? []),
  };
};

type BlockDeps = { save: Save; number: number; files: number };

const convertBlock = async (block: ContentBlock, deps: BlockDeps): Promise<Converted> => {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "audio":
      return saveFile(block.data, { ...deps, name: block.type, mediaType: block.mimeType });
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { text: `${resource.uri}:\n${resource.text}` };
      const name = resource.uri.split(/[/\\]/).at(-1) ?? "";
      return saveFile(resource.blob, { ...deps, name, mediaType: resource.mimeType });
    }
    case "resource_link":
      return {
        text: [`Link to ${block.name}: ${block.uri}`, block.description].filter(Boolean).join("\n"),
      };
    default:
      return { text: "[content of a type that is not known here was left out]" };
  }
};

type FileDeps = BlockDeps & { name: string; mediaType: string | undefined };

const saveFile = async (
  base64: string,
  { save, number, files, name, mediaType = UNKNOWN_MEDIA_TYPE }: FileDeps,
): Promise<Converted> => {
  if (files >= MAX_FILES) return { text: "[one more file was left out]" };
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > MAX_ARTIFACT_BYTES) {
    return { text: `[a file of ${bytes.length} bytes was left out: it is too large]` };
  }
  const file = {
    name: toFileName(name, number, mediaType),
    mediaType: toMediaType(mediaType),
    bytes,
  };
  try {
    return { text: "", artifact: await save(file) };
  } catch (error) {
    if (error instanceof ToolFailure) return { text: `[a file was left out: ${error.message}]` };
    throw error;
  }
};

const toMediaType = (text: string): string =>
  /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(text) ? text.toLowerCase() : UNKNOWN_MEDIA_TYPE;

/** Returns a name with an ending, of characters that every system takes. */
export const toFileName = (name: string, number: number, mediaType: string): string => {
  const usable = name.replace(/[^\w. -]/g, "_").slice(-MAX_NAME_LENGTH);
  if (/\w\.\w+$/.test(usable)) return usable;
  const ending = /\/([\w]+)/.exec(mediaType)?.[1]?.toLowerCase() ?? "bin";
  return `${usable === "" ? "file" : usable}-${number}.${ending}`;
};

/** The package that speaks the protocol reads data with numbers of JavaScript, so these would be wrong ones. */
const REFUSED_NUMBER = `[a number above ${Number.MAX_SAFE_INTEGER} that cannot be read exactly: the server must send it as text]`;

const refuseRounded = (_key: string, value: unknown): unknown => {
  if (typeof value !== "number") return value;
  const isExact =
    Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  return isExact ? value : REFUSED_NUMBER;
};

/** Servers send data as text, too, for clients that do not know data. */
const repeatsData = (content: readonly ContentBlock[], data: unknown): boolean =>
  content.some((block) => {
    if (block.type !== "text" || block.text.length > MAX_COMPARED_LENGTH) return false;
    try {
      return isDeepStrictEqual(JSON.parse(block.text), data);
    } catch {
      return false;
    }
  });
