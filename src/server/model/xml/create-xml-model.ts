import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { generateFromStream } from "@/server/model/generate-from-stream";
import { toXmlPrompt } from "./xml-prompt";
import { createXmlConverter } from "./xml-stream";

/**
 * Wraps a model that cannot call tools: it reads and writes calls and results as XML in texts, and its caller gets
 * ordinary calls (docs/adr/0073-let-models-call-tools-in-xml.md).
 */
export const createXmlModel = (model: LanguageModelV4): LanguageModelV4 => {
  const doStream = async (
    options: LanguageModelV4CallOptions,
  ): Promise<LanguageModelV4StreamResult> => {
    const tools = findTools(options);
    const { stream, ...result } = await model.doStream(toXmlOptions(options, tools));
    if (tools.length === 0) return { stream, ...result };
    return { ...result, stream: convertStream(stream, createXmlConverter(options, tools)) };
  };
  const generate = generateFromStream(doStream);
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream,
    doGenerate: async (options) => {
      const tools = findTools(options);
      return tools.length === 0
        ? model.doGenerate(toXmlOptions(options, tools))
        : generate(options);
    },
  };
};

const NO_TOOLS: LanguageModelV4FunctionTool[] = [];

/** The same list each time, by which the guide of its tools is cached. */
const findTools = ({ tools }: LanguageModelV4CallOptions): LanguageModelV4FunctionTool[] => {
  if (!tools) return NO_TOOLS;
  const functions = tools.filter((tool) => tool.type === "function");
  return functions.length === tools.length ? (tools as LanguageModelV4FunctionTool[]) : functions;
};

const toXmlOptions = (
  options: LanguageModelV4CallOptions,
  tools: readonly LanguageModelV4FunctionTool[],
): LanguageModelV4CallOptions => {
  const converted = { ...options, prompt: toXmlPrompt(options.prompt, tools) };
  delete converted.tools;
  delete converted.toolChoice;
  return converted;
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
