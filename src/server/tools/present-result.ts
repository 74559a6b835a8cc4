import type { Artifact } from "@/contract/part";
import { cutText } from "@/lib/cut-text";
import { errorText } from "@/lib/error-text";
import { redactSecrets } from "@/lib/redact-secrets";
import { keepInlineFiles } from "./inline-files";
import { mapTexts } from "./map-texts";
import type { CallDeps, NewArtifact, ToolContext } from "./tool-context";
import type { ToolResult } from "./tool-result";

type PresentDeps = Pick<CallDeps, "saveArtifact" | "maxOutputBytes"> & { context: ToolContext };

/**
 * Makes a result fit to be stored and shown: inline files become artifacts, secrets leave both
 * texts, and what is too long is cut, with the whole kept as an artifact.
 *
 * @throws {TypeError} when the result's value is no JSON.
 */
export const presentResult = async (result: ToolResult, deps: PresentDeps): Promise<ToolResult> => {
  const kept = await keepInlineFiles(readable(result), saver(deps));
  return cutResult(mapTexts(kept, redactSecrets), deps);
};

/** The cause's text can stand for the model's, so it must go the same way. */
const readable = (result: ToolResult): ToolResult =>
  mapTexts(
    {
      ...result,
      forLlm:
        result.forLlm === "" && result.error !== undefined
          ? errorText(result.error)
          : result.forLlm,
    },
    (text) => text.toWellFormed(),
  );

/** A file that cannot be stored is left out of the result, not a reason to lose the result. */
const saver =
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
    ...(forUser !== undefined && { forUser: cutText(forUser, { maxBytes, marker: leftOut }) }),
  };
  const whole = value === undefined ? result.forLlm : JSON.stringify(value);
  const fits = cutText(whole, { maxBytes, marker: leftOut }) === whole;
  if (fits) return { ...shown, ...(value !== undefined && { value }) };
  const artifact = await saver(deps)({
    name: value === undefined ? "output.txt" : "output.json",
    mediaType: value === undefined ? "text/plain" : "application/json",
    bytes: new TextEncoder().encode(whole),
  });
  const kept = artifact ? `; the whole is kept as artifact ${artifact.id}` : "";
  return {
    ...shown,
    forLlm: cutText(whole, { maxBytes, marker: (bytes) => leftOut(bytes, kept) }),
    artifacts: artifact ? [...result.artifacts, artifact] : result.artifacts,
  };
};

const leftOut = (bytes: number, kept = ""): string => `\n[… ${bytes} bytes left out${kept} …]\n`;
