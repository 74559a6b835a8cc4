import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { answerBeforeUser, markFailedResults } from "@/server/model/adapt-prompt";
import { type Provider, toClientOptions } from "@/server/model/catalog/provider";
import { createJoiningFetch } from "@/server/model/stream/join-deltas";
import { createJsonFetch } from "@/server/model/stream/json-fetch";
import { repairEvents } from "@/server/model/stream/repair-events";
import { createToolsJson } from "@/server/model/tools-json";

export const openaiCompatible: Provider = {
  createClient: (access, model) => {
    const toolsJson = createToolsJson();
    const client = createOpenAICompatible({
      name: "openai-compatible",
      baseURL: "",
      ...toClientOptions(access),
      includeUsage: true,
      transformRequestBody: toolsJson.replaceTools,
      fetch: createJoiningFetch(
        ["content", "reasoning_content", "reasoning", "arguments"],
        createJsonFetch(toolsJson.encode),
        repairEvents,
      ),
    })(model);
    return toolsJson.toClient(client);
  },
  adaptPrompt: (prompt) => markFailedResults(answerBeforeUser(prompt)),
  // Some servers reject the option.
  hasReasoningOption: false,
};
