import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";

type Stream = (options: LanguageModelV4CallOptions) => PromiseLike<LanguageModelV4StreamResult>;
type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type Written = { type: "text" | "reasoning"; text: string };

/**
 * `doGenerate` of a model that only knows how to stream.
 *
 * @throws what the stream fails with, and an Error when it ends without its `finish` part.
 */
export const generateFromStream =
  (doStream: Stream) =>
  async (options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> => {
    const { stream } = await doStream(options);
    const content: LanguageModelV4Content[] = [];
    const written = new Map<string, Written>();
    let finish: Finish | undefined;
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "finish") finish = part;
      else collect(part, content, written);
    }
    if (!finish) throw new Error("the stream ended without a finish part");
    return { content, finishReason: finish.finishReason, usage: finish.usage, warnings: [] };
  };

const collect = (
  part: LanguageModelV4StreamPart,
  content: LanguageModelV4Content[],
  written: Map<string, Written>,
): void => {
  if (part.type === "text-start" || part.type === "reasoning-start") {
    const block: Written = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
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
