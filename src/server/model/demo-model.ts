import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { demoReply } from "./demo/demo-reply";
import { demoStream } from "./demo/demo-stream";
import { generateFromStream } from "./generate-from-stream";

/** Slow enough to be seen as streaming, quick enough not to be waited for. */
const WORD_MS = 15;
/** Prompts that failed once and may now succeed; older ones are forgotten. */
const MAX_FAILED = 1_000;

/**
 * A scripted stand-in for a model: needs no key, answers the same to the same prompt, and says
 * that it is a demo. `fail once` fails the first of two calls with one prompt.
 *
 * @param wordMs between two words, in milliseconds.
 */
export const createDemoModel = (wordMs = WORD_MS): LanguageModelV4 => {
  const failed = new Set<string>();

  const failsNow = (prompt: string, once: boolean): boolean => {
    if (!once) return true;
    if (failed.delete(prompt)) return false;
    if (failed.size >= MAX_FAILED) failed.clear();
    failed.add(prompt);
    return true;
  };

  const doStream = async (
    options: LanguageModelV4CallOptions,
  ): Promise<LanguageModelV4StreamResult> => {
    options.abortSignal?.throwIfAborted();
    const reply = demoReply(options, wordMs);
    const { failure } = reply;
    const fails = failure && failsNow(JSON.stringify(options.prompt), failure.once);
    if (failure && fails && !failure.midway) throw failure.error;
    const stream = demoStream({ ...reply, failure: fails ? failure : undefined }, options);
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

type Parts = AsyncGenerator<LanguageModelV4StreamPart>;

const toStream = (parts: Parts): ReadableStream<LanguageModelV4StreamPart> =>
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
