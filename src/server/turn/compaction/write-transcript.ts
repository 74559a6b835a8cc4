import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { cutText } from "@/lib/cut-text";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { buildPrompt } from "@/server/turn/prompt/build-prompt";

type Content = Exclude<LanguageModelV4Message["content"], string>[number];

/**
 * Writes what was said, called and answered as lines of JSON, so that no text can look like another line. Reasoning and the
 * bytes of files are left out, and results have the same share as in a prompt.
 */
export const writeTranscript = (
  history: readonly HistoryMessage[],
  { contextLimit, model }: { contextLimit: number | null; model: string },
): string[] =>
  buildPrompt({ system: [], history, contextLimit, model }).flatMap(({ role, content }) =>
    typeof content === "string" ? [] : content.flatMap((part) => writeLine(role, part)),
  );

const writeLine = (role: LanguageModelV4Message["role"], part: Content): string[] => {
  switch (part.type) {
    case "text":
      return [JSON.stringify({ [role]: part.text })];
    case "tool-call":
      return [JSON.stringify({ call: part.toolName, arguments: part.input })];
    case "tool-result":
      return [JSON.stringify({ result: part.toolName, output: readOutput(part.output) })];
    default:
      return [];
  }
};

const readOutput = (output: Extract<Content, { type: "tool-result" }>["output"]): unknown => {
  if (output.type === "content") {
    return output.value.flatMap((item) => (item.type === "text" ? item.text : []));
  }
  if (!("value" in output)) return output;
  return output.type.startsWith("error") ? { error: output.value } : output.value;
};

/**
 * Joins lines to pieces of at most so many bytes, in order. A line that is longer is cut in its middle, and is a piece of its
 * own then.
 */
export const joinLines = (lines: readonly string[], maxBytes: number): string[] => {
  const pieces: string[] = [];
  let piece: string[] = [];
  let bytes = 0;
  const end = (): void => {
    if (piece.length > 0) pieces.push(piece.join("\n"));
    piece = [];
    bytes = 0;
  };
  for (const line of lines) {
    const cut = cutText(line, { maxBytes, marker: (left) => ` … ${left} bytes left out … ` });
    const size = Buffer.byteLength(cut) + 1;
    if (bytes + size > maxBytes) end();
    piece.push(cut);
    bytes += size;
  }
  end();
  return pieces;
};
