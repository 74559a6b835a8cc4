import { z } from "zod";
import { JsonValue } from "@/contract/json";
import { Artifact } from "@/contract/part";
import { getErrorMessage } from "@/lib/error-message";

/** What a tool hands back: one text for the model and, where it differs, one for the person. */
export const ToolResult = z.object({
  /** What the model reads. */
  forLlm: z.string(),
  /** The outcome as data, in place of `forLlm` where a card shows more than text; JSON only. */
  value: JsonValue.optional(),
  /** What the card shows; without it the card shows `forLlm` under "details". */
  forUser: z.string().optional(),
  /** The card is collapsed and `forUser` ignored. */
  silent: z.boolean(),
  isError: z.boolean(),
  /** Files that the tool made or loaded; owned by the chat. */
  artifacts: z.array(Artifact),
  /** The person has the outcome already, so the model need not answer. */
  responseHandled: z.boolean(),
  /** The cause, for logs and as the last resort for the model's text; never stored or sent. */
  error: z.unknown().optional(),
});

/** @typeParam Value the tool's output: text for the model, or data for its card. */
export type ToolResult<Value = JsonValue> = Omit<z.infer<typeof ToolResult>, "value"> & {
  value?: Value | undefined;
};

const plain = (forLlm: string): ToolResult<never> => ({
  forLlm,
  silent: false,
  isError: false,
  artifacts: [],
  responseHandled: false,
});

/** An ordinary outcome: text for the model. */
export const toolResult = (forLlm: string): ToolResult<string> => plain(forLlm);

/** For what the person need not see, such as the content of a file that was read. */
export const silentResult = (forLlm: string): ToolResult<string> => ({
  ...plain(forLlm),
  silent: true,
});

/** A failure that the model can read and act on; a tool returns it instead of throwing. */
export const errorResult = (message: string): ToolResult<never> => ({
  ...plain(message),
  isError: true,
});

/** A failure whose message the model may read. Anything else that a tool throws is a crash. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/** An outcome that is data, for tools whose card shows its fields. */
export const jsonResult = <Value>(value: Value): ToolResult<Value> => ({
  ...plain(JSON.stringify(value)),
  value,
});

export const withError = <Value>(result: ToolResult<Value>, error: unknown): ToolResult<Value> => ({
  ...result,
  isError: true,
  error,
});

const HANDLED_NOTE =
  "The user already has this output in the chat. Do not deliver it again; if you answer at all, confirm it in one short sentence.";
const ARTIFACT_NOTE =
  "The user sees these files with this call. Refer to one by its id instead of repeating its content.";

/** The text that the model reads of a result. Rendering rendered text again adds nothing. */
export const textForModel = (result: ToolResult): string => {
  let text = result.forLlm;
  if (text === "" && result.error !== undefined) text = getErrorMessage(result.error);
  if (result.responseHandled) text = appendOnce(text, HANDLED_NOTE);
  if (result.artifacts.length > 0) {
    text = appendOnce(text, `Artifacts: ${result.artifacts.map(artifactTag).join(" ")}`);
    text = appendOnce(text, ARTIFACT_NOTE);
  }
  return text;
};

const appendOnce = (text: string, line: string): string => {
  if (text.includes(line)) return text;
  return text === "" ? line : `${text}\n${line}`;
};

const artifactTag = ({ id, name, media_type, size }: Artifact): string =>
  `[${id} ${JSON.stringify(name)} ${media_type} ${size} bytes]`;
