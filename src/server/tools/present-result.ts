import type { Artifact } from "@/contract/part";
import { cutText } from "@/lib/cut-text";
import { getErrorMessage } from "@/lib/error-message";
import { redactSecrets } from "@/lib/redact-secrets";
import { extractInlineFiles } from "./inline-files";
import { mapTexts } from "./map-texts";
import type { CallDeps, NewArtifact, ToolContext } from "./tool-context";
import type { ToolResult } from "./tool-result";

type PresentDeps = Pick<CallDeps, "saveArtifact" | "maxOutputBytes"> & { context: ToolContext };

/**
 * Prepares a result for storage and display: moves inline files into artifacts, redacts secrets in
 * both texts, and truncates long text, whose whole it saves as an artifact.
 *
 * @throws {TypeError} when the result's value is not JSON.
 */
export const presentResult = async (result: ToolResult, deps: PresentDeps): Promise<ToolResult> => {
  const kept = await extractInlineFiles(toReadableResult(result), createSaver(deps));
  return cutResult(mapTexts(kept, redactSecrets), deps);
};

/** The error's text can replace the model's, so it passes through the same steps. */
const toReadableResult = (result: ToolResult): ToolResult =>
  mapTexts(
    {
      ...result,
      forLlm:
        result.forLlm === "" && result.error !== undefined
          ? getErrorMessage(result.error)
          : result.forLlm,
    },
    (text) => text.toWellFormed(),
  );

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
  // The budget of the model's text; the person's text gets the same.
  const maxBytes = deps.maxOutputBytes;
  const { value, forUser, ...rest } = result;
  const shown = {
    ...rest,
    ...(forUser !== undefined && {
      forUser: cutText(forUser, { maxBytes, marker: omissionMarker }),
    }),
  };
  const whole = value === undefined ? result.forLlm : JSON.stringify(value);
  const fits = cutText(whole, { maxBytes, marker: omissionMarker }) === whole;
  if (fits) return { ...shown, ...(value !== undefined && { value }) };
  const artifact = await createSaver(deps)({
    name: value === undefined ? "output.txt" : "output.json",
    mediaType: value === undefined ? "text/plain" : "application/json",
    bytes: new TextEncoder().encode(whole),
  });
  const kept = artifact ? `; the whole is kept as artifact ${artifact.id}` : "";
  return {
    ...shown,
    forLlm: cutText(whole, { maxBytes, marker: (bytes) => omissionMarker(bytes, kept) }),
    artifacts: artifact ? [...result.artifacts, artifact] : result.artifacts,
  };
};

const omissionMarker = (bytes: number, kept = ""): string =>
  `\n[… ${bytes} bytes left out${kept} …]\n`;
