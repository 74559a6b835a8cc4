import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";
import { ALL_PROVIDERS } from "./catalog/providers/all-providers";

type LimitedTools = {
  tools: LanguageModelV4FunctionTool[];
  /** A sentence, if any were cut. */
  warning?: string;
};

/**
 * Cuts tools to what a provider takes in one request. Those of MCP servers go first, as a server may bring hundreds.
 *
 * @param isMcp by the name of a tool.
 */
export const limitTools = (
  tools: LanguageModelV4FunctionTool[],
  { provider, isMcp }: { provider: ProviderName; isMcp: (name: string) => boolean },
): LimitedTools => {
  const { maxTools = Infinity } = ALL_PROVIDERS[provider];
  if (tools.length <= maxTools) return { tools };
  const ranked = [
    ...tools.filter(({ name }) => !isMcp(name)),
    ...tools.filter(({ name }) => isMcp(name)),
  ];
  const kept = new Set(ranked.slice(0, maxTools));
  const cut = ranked[maxTools]?.name ?? "";
  const { title } = PROVIDERS[provider];
  return {
    tools: tools.filter((tool) => kept.has(tool)),
    warning: `${title} takes ${maxTools} tools: ${tools.length - maxTools} of ${tools.length} are not offered, from "${cut}" on.`,
  };
};
