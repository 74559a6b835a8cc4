import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { cutText } from "@/lib/cut-text";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { closedOutcome } from "@/server/tools/settle";
import { renderForModel } from "@/server/tools/tool-result";
import type { ModelImage } from "@/server/tools/artifacts/model-image";
import { findImages, type ResultImages } from "./result-images";
import { toProviderToolName } from "./provider-name";

type ResultReader = {
  /** The model's share of the result. */
  maxBytes: number;
  images: ResultImages;
  /** Whether the model is offered a tool. */
  isOffered: (toolName: string) => boolean;
  onTruncated: (call: ToolCallPartRow) => void;
};

/** Converts the outcome of a call, with the id that the call has in the prompt, to a prompt part. */
export const toToolResultPart = (
  part: ToolCallPartRow,
  reader: ResultReader,
): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId: part.toolCallId,
  toolName: toProviderToolName(part.toolName),
  output: addImages(toResultOutput(part, reader), part, reader.images),
});

const addImages = (
  output: LanguageModelV4ToolResultPart["output"],
  part: ToolCallPartRow,
  images: ResultImages,
): LanguageModelV4ToolResultPart["output"] => {
  const files = findImages(part).flatMap((id) => images.get(id) ?? []);
  if (files.length === 0 || !("value" in output)) return output;
  const { value } = output;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return {
    type: "content",
    value: [{ type: "text", text }, ...files.map(toFileContent)],
  };
};

const toFileContent = ({ mediaType, bytes }: ModelImage) => ({
  type: "file" as const,
  mediaType,
  data: { type: "data" as const, data: bytes },
});

const toResultOutput = (
  part: ToolCallPartRow,
  reader: ResultReader,
): LanguageModelV4ToolResultPart["output"] => {
  // All calls are closed before the next step; an open one must not look successful to the model.
  const output = part.output === undefined ? closedOutcome("server_stopped").output : part.output;
  const isError = part.isError || part.output === undefined;
  const stored = typeof output === "string" ? output : JSON.stringify(output);
  const value = renderForModel(limitOutput(part, noteChange(part) + stored, reader), {
    responseHandled: part.responseHandled,
    artifacts: part.artifacts ?? [],
    isOffered: reader.isOffered,
  });
  return typeof output !== "string" && value === stored
    ? { type: isError ? "error-json" : "json", value: output }
    : { type: isError ? "error-text" : "text", value };
};

/** Tells the model that the call was not run as it was made, which the result alone may not show. */
const noteChange = ({ approvedArgs }: ToolCallPartRow): string =>
  approvedArgs === null
    ? ""
    : `The user changed the arguments of this call and approved these instead: ${JSON.stringify(approvedArgs)}\n\n`;

/**
 * Cuts an output to the model's share. That of a tool of this server was cut when the call settled, but maybe for
 * a model with another context, or not as it is data. Its secrets were masked when it was stored.
 */
const limitOutput = (part: ToolCallPartRow, text: string, reader: ResultReader): string => {
  const cut = cutText(text, {
    maxBytes: reader.maxBytes,
    marker: (bytes) => `\n… ${bytes} bytes left out …\n`,
  });
  if (cut !== text) reader.onTruncated(part);
  return cut;
};
