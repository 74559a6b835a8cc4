import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ProviderName, ToolProtocol } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";
import { ALL_PROVIDERS } from "./catalog/providers/all-providers";

type LimitedTools = {
  tools: LanguageModelV4FunctionTool[];
  /** A sentence, if any were cut. */
  warning?: string;
};

type LimitOptions = {
  provider: ProviderName;
  /** Calls in XML need no tools of the provider. */
  toolProtocol?: ToolProtocol | undefined;
  /** How many of the provider's own are in the request, too. */
  reserved?: number;
  /** By the name of a tool. */
  isMcp: (name: string) => boolean;
};

/**
 * Cuts tools to what a provider takes in one request. Those of MCP servers go first, as a server may bring hundreds.
 */
export const limitTools = (
  tools: LanguageModelV4FunctionTool[],
  { provider, toolProtocol, reserved = 0, isMcp }: LimitOptions,
): LimitedTools => {
  const maxTools = (ALL_PROVIDERS[provider].maxTools ?? Infinity) - reserved;
  if (tools.length <= maxTools || toolProtocol === "xml") return { tools };
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
