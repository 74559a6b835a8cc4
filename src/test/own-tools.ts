import type { ProviderToolName } from "@/contract/provider-tool";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import type { ChatModel } from "@/server/model/model-step";
import type { ToolProvider } from "./provider-events";

const MODELS = { openai: "gpt-5", anthropic: "claude-sonnet-4-5", google: "gemini-3-pro" };
const ALL: readonly ProviderToolName[] = ["web_search", "code_execution", "file_search"];

type ModelSetup = { model?: string; tools?: readonly ProviderToolName[]; contextLimit?: number };

/** Creates a model whose provider, the server at the URL, runs tools. */
export const createToolModel = (
  provider: ToolProvider,
  url: string,
  { model = MODELS[provider], tools = ALL, contextLimit }: ModelSetup = {},
): ChatModel => {
  const baseUrl = provider === "google" ? `${url}/v1beta` : `${url}/v1`;
  const registry = createModelRegistry({ [provider]: { apiKey: "test-key-of-mine", baseUrl } });
  return registry.toChatModel({
    provider,
    model,
    contextLimit: contextLimit ?? null,
    prices: null,
    providerTools: tools,
    fileStores: ["store-1"],
  });
};
