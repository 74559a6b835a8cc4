import { ReadableStream } from "node:stream/web";
import type { LanguageModelV4, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { generateFromStream } from "@/server/model/generate-from-stream";
import type { FindCallWord } from "./call-word";
import { toXmlPrompt } from "./xml-prompt";
import { convertParts } from "./xml-stream";

/**
 * Wraps a model that cannot call tools: it reads and writes calls and results as XML in texts, and its caller gets
 * ordinary calls (docs/adr/0073-let-models-call-tools-in-xml.md).
 */
export const createXmlModel = (model: LanguageModelV4, findWord: FindCallWord): LanguageModelV4 => {
  const doStream: LanguageModelV4["doStream"] = async ({ tools: offered = [], ...options }) => {
    const tools = offered.filter((tool) => tool.type === "function");
    delete options.toolChoice;
    const chatId = options.providerOptions?.parley?.chatId;
    const word = findWord(typeof chatId === "string" ? chatId : "");
    const prompt = toXmlPrompt(options.prompt, { tools, word });
    const { stream, ...result } = await model.doStream({ ...options, prompt });
    if (tools.length === 0) return { stream, ...result };
    const parts = ReadableStream.from(convertParts(stream, options.prompt, { tools, word }));
    return { ...result, stream: parts as LanguageModelV4StreamResult["stream"] };
  };
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream,
    doGenerate: generateFromStream(doStream),
  };
};
