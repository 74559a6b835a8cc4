import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { planReply } from "./plan-reply";
import { readXmlPrompt } from "./read-xml-prompt";
import { streamReply } from "./stream-reply";
import { writeXmlReply } from "./write-xml-reply";
import { generateFromStream } from "@/server/model/generate-from-stream";

/** Slow enough to be visible as streaming, fast enough not to delay tests. */
const WORD_MS = 15;
/** Limits the memory for prompts of `fail once`. */
const MAX_FAILED_PROMPTS = 1_000;

/**
 * Creates the scripted demo model, which needs no key and answers deterministically. It calls tools natively, or as
 * XML where its prompt teaches that. `fail once`
 * fails the first of two calls with the same prompt.
 *
 * @param wordMs delay between two words, in milliseconds.
 */
export const createDemoModel = (wordMs = WORD_MS): LanguageModelV4 => {
  const failedPrompts = new Set<string>();

  const shouldFail = (prompt: string, failsOnce: boolean): boolean => {
    if (!failsOnce) return true;
    if (failedPrompts.delete(prompt)) return false;
    if (failedPrompts.size >= MAX_FAILED_PROMPTS) failedPrompts.clear();
    failedPrompts.add(prompt);
    return true;
  };

  const doStream = async (
    options: LanguageModelV4CallOptions,
  ): Promise<LanguageModelV4StreamResult> => {
    options.abortSignal?.throwIfAborted();
    const xml = readXmlPrompt(options);
    const planned = planReply(xml ?? options, wordMs);
    const reply = xml ? writeXmlReply(planned, findFunctions(xml)) : planned;
    const { failure } = reply;
    const fails = failure && shouldFail(JSON.stringify(options.prompt), failure.failsOnce);
    if (failure && fails && !failure.isMidway) throw failure.error;
    const stream = streamReply({ ...reply, failure: fails ? failure : undefined }, options);
    return Promise.resolve({ stream: toStream(stream) });
  };

  return {
    specificationVersion: "v4",
    provider: "demo",
    modelId: "demo",
    supportedUrls: {},
    doStream,
    doGenerate: generateFromStream(doStream),
  };
};

const findFunctions = ({ tools = [] }: LanguageModelV4CallOptions) =>
  tools.filter((tool) => tool.type === "function");

type PartGenerator = AsyncGenerator<LanguageModelV4StreamPart>;

const toStream = (parts: PartGenerator): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream({
    pull: async (controller) => {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
