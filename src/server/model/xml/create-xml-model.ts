import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { generateFromStream } from "@/server/model/generate-from-stream";
import { toXmlPrompt } from "./xml-prompt";
import { createXmlConverter } from "./xml-stream";

/**
 * Wraps a model that cannot call tools: it reads and writes calls and results as XML in texts, and its caller gets
 * ordinary calls (docs/adr/0073-let-models-call-tools-in-xml.md).
 */
export const createXmlModel = (model: LanguageModelV4): LanguageModelV4 => {
  const doStream: LanguageModelV4["doStream"] = async ({ tools: offered = [], ...options }) => {
    const tools = offered.filter((tool) => tool.type === "function");
    delete options.toolChoice;
    const prompt = toXmlPrompt(options.prompt, tools);
    const { stream, ...result } = await model.doStream({ ...options, prompt });
    if (tools.length === 0) return { stream, ...result };
    return { ...result, stream: convertStream(stream, createXmlConverter(options, tools)) };
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

/** Converts each part when it is asked for; a TransformStream would hold more of them. */
const convertStream = (
  stream: ReadableStream<LanguageModelV4StreamPart>,
  convert: (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> => {
  const reader = stream.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      for (let isEmpty = true; isEmpty;) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const parts = convert(value);
        isEmpty = parts.length === 0;
        for (const part of parts) controller.enqueue(part);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
};
