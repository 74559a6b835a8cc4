import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { MessageUsage } from "@/contract/usage";

/** Converts a provider's usage to ours; counts that it did not report are 0 or omitted. */
export const toMessageUsage = ({
  inputTokens,
  outputTokens,
}: LanguageModelV4Usage): MessageUsage => {
  const { noCache = 0, cacheRead, cacheWrite } = inputTokens;
  const { text = 0, reasoning } = outputTokens;
  return {
    input_tokens: inputTokens.total ?? noCache + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output_tokens: outputTokens.total ?? text + (reasoning ?? 0),
    ...(reasoning && { reasoning_tokens: reasoning }),
    ...(cacheRead && { cache_read_tokens: cacheRead }),
    ...(cacheWrite && { cache_write_tokens: cacheWrite }),
  };
};
