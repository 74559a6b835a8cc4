import { MAX_ARTIFACT_BYTES, MAX_RESULT_BYTES } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { cutText as cutMiddle } from "@/lib/cut-text";
import { getErrorMessage } from "@/lib/error-message";
import { cutAndMask, maskBytes } from "@/server/mask-secrets";
import { extractInlineFiles } from "./inline-files";
import { mapTexts } from "./map-texts";
import { maskJson } from "./mask-json";
import type { CallDeps, NewArtifact, ToolContext } from "./tool-context";
import type { ToolResult } from "./tool-result";

type PresentDeps = Pick<CallDeps, "saveArtifact" | "maxOutputBytes" | "onTruncated"> & {
  context: Pick<ToolContext, "chatId" | "userId" | "toolCallId" | "log">;
};

/**
 * Prepares a result for storage and display: moves inline files into artifacts, masks secrets in
 * both texts, and truncates long text, whose whole it saves as an artifact.
 *
 * @throws {TypeError} when the result's value is not JSON.
 */
export const presentResult = async (result: ToolResult, deps: PresentDeps): Promise<ToolResult> => {
  const kept = await extractInlineFiles(toReadableResult(result), createSaver(deps));
  return cutResult(kept, deps);
};

const toReadableResult = (result: ToolResult): ToolResult =>
  mapTexts({ ...result, forLlm: toOutputText(result) }, (text) => text.toWellFormed());

/** The text of data is made when it is needed; the error's text can replace the model's. */
const toOutputText = ({ value, forLlm, error }: ToolResult): string => {
  if (value !== undefined) return "";
  return forLlm === "" && error !== undefined ? getErrorMessage(error) : forLlm;
};

/** Creates a function that saves files. A failure is logged and omits the file, not the result. */
const createSaver =
  ({ saveArtifact, context }: PresentDeps) =>
  async (file: NewArtifact): Promise<Artifact | undefined> => {
    try {
      return await saveArtifact(context, file);
    } catch (error) {
      context.log.error({ err: error, toolCallId: context.toolCallId }, "artifact not saved");
      return undefined;
    }
  };

const cutResult = async (result: ToolResult, deps: PresentDeps): Promise<ToolResult> => {
  const { value: data, forUser, truncated, ...rest } = result;
  const value = data === undefined ? undefined : maskJson(data);
  const isData = value !== undefined;
  const text = isData ? JSON.stringify(value) : result.forLlm;
  const output = await cutText(text, deps, {
    // A card needs all of its data; a smaller share is cut when a prompt is built.
    maxBytes: isData ? Math.max(deps.maxOutputBytes, MAX_RESULT_BYTES) : deps.maxOutputBytes,
    name: isData ? "output.json" : "output.txt",
    mediaType: isData ? "application/json" : "text/plain",
    isMasked: isData,
  });
  if (truncated || Buffer.byteLength(text) > deps.maxOutputBytes) deps.onTruncated();
  const shown = await cutText(forUser ?? "", deps, {
    maxBytes: MAX_RESULT_BYTES,
    name: "result.md",
    mediaType: "text/markdown",
    isMasked: false,
  });
  return {
    ...rest,
    forLlm: output.text,
    ...(isData && !output.isCut && { value }),
    ...(forUser !== undefined && { forUser: shown.text }),
    artifacts: [...result.artifacts, ...output.artifacts, ...shown.artifacts],
  };
};

type CutOptions = Omit<NewArtifact, "bytes"> & { maxBytes: number; isMasked: boolean };

/** Cuts the middle out of a text that is over its budget, and saves the whole. Both are masked by themselves, as the whole can be long. */
const cutText = async (
  text: string,
  deps: PresentDeps,
  { maxBytes, isMasked, ...file }: CutOptions,
): Promise<{ text: string; isCut: boolean; artifacts: Artifact[] }> => {
  const bytes = Buffer.from(text);
  const isCut = bytes.length > maxBytes;
  const artifact = isCut ? await saveWhole(bytes, { isMasked, ...file }, deps) : undefined;
  const kept = artifact ? `; the whole is kept as artifact ${artifact.id}` : "";
  const marker = (left: number): string => `\n[… ${left} bytes left out${kept} …]\n`;
  return {
    text: (isMasked ? cutMiddle : cutAndMask)(text, { maxBytes, marker }),
    isCut,
    artifacts: artifact ? [artifact] : [],
  };
};

/** @returns undefined for what is too large to be saved, which is not masked either, or could not be. */
const saveWhole = async (
  bytes: Buffer,
  { isMasked, ...file }: Omit<CutOptions, "maxBytes">,
  deps: PresentDeps,
): Promise<Artifact | undefined> =>
  bytes.length > MAX_ARTIFACT_BYTES
    ? undefined
    : createSaver(deps)({ ...file, bytes: isMasked ? bytes : await maskBytes(bytes) });
