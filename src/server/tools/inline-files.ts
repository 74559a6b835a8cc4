import type { Artifact } from "@/contract/part";
import { detectFileType, UNKNOWN_MEDIA_TYPE } from "./artifacts/detect-media-type";
import { mapTexts } from "./map-texts";
import type { NewArtifact } from "./tool-context";
import type { ToolResult } from "./tool-result";

/** Files that are moved out of one result; more are omitted. */
const MAX_FILES = 20;
/** Shortest text that can count as base64, in UTF-16 units. */
const MIN_BASE64_LENGTH = 1_024;

/** A data URL in base64, with the markdown image around it if there is one. */
const DATA_URL =
  /(?:!\[[^\]\n]{0,500}\]\(\s{0,10})?data:([\w.+-]{1,64}\/[\w.+-]{1,64})(?:;[\w.+-]{1,64}=[\w."+-]{0,128}){0,4};base64,([A-Za-z0-9+/_-]{2,}={0,2})(?:\s{0,10}\))?/gi;

/** Only a data URL names its media type. */
type InlineFile = { mediaType: string | undefined; base64: string };

/** Moves base64 files in a result's texts into artifacts, each file once. */
export const extractInlineFiles = async (
  result: ToolResult,
  save: (file: NewArtifact) => Promise<Artifact | undefined>,
): Promise<ToolResult> => {
  const files = new Map<string, InlineFile>();
  const collect = (file: InlineFile): string => {
    if (files.size < MAX_FILES) files.set(file.base64, file);
    return "";
  };
  mapTexts(result, (text) => replaceFiles(text, collect));
  if (files.size === 0) return result;

  const kept = new Map<string, Artifact>();
  for (const [key, file] of files) {
    const artifact = await save(await toArtifact(file, kept.size + 1));
    if (artifact) kept.set(key, artifact);
  }
  const note = ({ base64 }: InlineFile): string => {
    const artifact = kept.get(base64);
    return artifact
      ? `[${artifact.name} was moved out of this text and kept as artifact ${artifact.id}]`
      : "[a file in this text was left out]";
  };
  return {
    ...mapTexts(result, (text) => replaceFiles(text, note)),
    artifacts: [...result.artifacts, ...kept.values()],
  };
};

const replaceFiles = (text: string, replace: (file: InlineFile) => string): string => {
  const replaced = text.replaceAll(DATA_URL, (_match, mediaType: string, base64: string) =>
    replace({ mediaType: mediaType.toLowerCase(), base64 }),
  );
  // A long data URL has nearly all of its characters from base64's alphabet.
  if (replaced !== text || !isBase64(text)) return replaced;
  return replace({ mediaType: undefined, base64: text.replaceAll(/\s/g, "") });
};

/** Whether a text is long, consists of base64's alphabet and has almost no white space. */
const isBase64 = (text: string): boolean => {
  const trimmed = text.trim();
  if (trimmed.length < MIN_BASE64_LENGTH) return false;
  const blanks = trimmed.length - trimmed.replaceAll(/\s/g, "").length;
  const letters = trimmed.length - trimmed.replaceAll(/[A-Za-z0-9+/=_-]/g, "").length;
  return (
    blanks <= trimmed.length / 128 &&
    letters / (trimmed.length - blanks) >= 0.97 &&
    new Set(trimmed.slice(0, MIN_BASE64_LENGTH)).size >= 16
  );
};

const UNKNOWN_TYPE = { mime: UNKNOWN_MEDIA_TYPE, ext: "bin" };

/** By the media types that data URLs name. */
const EXTENSIONS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "text/plain": "txt",
};

const toArtifact = async (
  { mediaType, base64 }: InlineFile,
  number: number,
): Promise<NewArtifact> => {
  const bytes = Buffer.from(base64, "base64");
  const { mime, ext } = mediaType
    ? { mime: mediaType, ext: EXTENSIONS[mediaType] ?? "bin" }
    : ((await detectFileType(bytes)) ?? UNKNOWN_TYPE);
  return { name: `file-${number}.${ext}`, mediaType: mime, bytes };
};
