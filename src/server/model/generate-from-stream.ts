import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";

type Stream = (options: LanguageModelV4CallOptions) => PromiseLike<LanguageModelV4StreamResult>;
type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type TextBlock = { type: "text" | "reasoning"; text: string };

/**
 * Implements `doGenerate` by collecting the parts of `doStream`.
 *
 * @throws the stream's error, or an Error when it ends without a `finish` part.
 */
export const generateFromStream =
  (doStream: Stream) =>
  async (options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> => {
    const { stream } = await doStream(options);
    const content: LanguageModelV4Content[] = [];
    const blocks = new Map<string, TextBlock>();
    let finish: Finish | undefined;
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "finish") finish = part;
      else collectPart(part, content, blocks);
    }
    if (!finish) throw new Error("the stream ended without a finish part");
    return { content, finishReason: finish.finishReason, usage: finish.usage, warnings: [] };
  };

const collectPart = (
  part: LanguageModelV4StreamPart,
  content: LanguageModelV4Content[],
  written: Map<string, TextBlock>,
): void => {
  if (part.type === "text-start" || part.type === "reasoning-start") {
    const block: TextBlock = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
    written.set(`${block.type} ${part.id}`, block);
    content.push(block);
  } else if (part.type === "text-delta" || part.type === "reasoning-delta") {
    const kind = part.type === "text-delta" ? "text" : "reasoning";
    const block = written.get(`${kind} ${part.id}`);
    if (block) block.text += part.delta;
  } else if (part.type === "tool-call" || part.type === "tool-result" || part.type === "source") {
    content.push(part);
  }
};
