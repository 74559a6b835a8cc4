import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  answerBeforeUser,
  joinSystemMessages,
  markFailedResults,
} from "@/server/model/adapt-prompt";
import { convertCompatibleUsage } from "@/server/model/catalog/convert-compatible-usage";
import { createTokenLimit } from "@/server/model/catalog/retry-token-limit";
import { type Provider, toBearer, toClientOptions } from "@/server/model/catalog/provider";
import { withUsableNames } from "@/server/model/property-names/with-usable-names";
import { returnFields } from "@/server/model/return-fields";
import { createProviderFetch } from "@/server/model/stream/provider-fetch";
import { createExtrasExtractor } from "@/server/model/stream/repairs/answer-extras";
import {
  createChunkRepair,
  readWholeCompletion,
} from "@/server/model/stream/repairs/compatible-chunks";
import { createToolsJson } from "@/server/model/tools-json";

export const openaiCompatible: Provider = {
  createClient: (access, model) => {
    const toolsJson = createToolsJson();
    const tokenLimit = createTokenLimit();
    const client = createOpenAICompatible({
      name: "openai-compatible",
      baseURL: "",
      ...toClientOptions(access),
      includeUsage: true,
      convertUsage: convertCompatibleUsage,
      metadataExtractor: {
        extractMetadata: () => Promise.resolve(undefined),
        createStreamExtractor: createExtrasExtractor,
      },
      transformRequestBody: (body) => tokenLimit.renameLimit(toolsJson.replaceTools(body)),
      fetch: createProviderFetch({
        provider: "openai-compatible",
        events: {
          textKeys: ["content", "reasoning_content", "reasoning", "arguments"],
          createRepair: createChunkRepair,
        },
        readWhole: readWholeCompletion,
        encode: toolsJson.encode,
      }),
    })(model);
    const native = tokenLimit.toClient(toolsJson.toClient(client));
    // Gateways pass the tools on.
    return /claude/i.test(model) ? withUsableNames(native) : native;
  },
  listing: { path: "/models", toHeaders: toBearer },
  adaptPrompt: (prompt) => {
    const joined = joinSystemMessages(prompt);
    // All else is about answers and their results, which a first question has not.
    return joined.some(({ role }) => role === "assistant")
      ? returnFields(markFailedResults(answerBeforeUser(joined)))
      : joined;
  },
  // Some servers reject the option.
  hasReasoningOption: false,
};
