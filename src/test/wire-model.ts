import type { ChatModel } from "@/server/model/model-step";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import type { ProviderSettings } from "@/server/model/catalog/provider-access";

/** A model of each provider whose requests differ on the wire. */
const MODELS = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-2.5-flash",
  "openai-compatible": "local",
} as const;

export type WireProvider = keyof typeof MODELS;

export const WIRE_PROVIDERS = Object.keys(MODELS) as WireProvider[];

/** Settings of an environment that has no provider. */
export const NO_PROVIDERS: ProviderSettings = {};

/** Creates a model whose provider is the server at the URL. */
export const createWireModel = (
  provider: WireProvider,
  url: string,
  model: string = MODELS[provider],
): ChatModel => {
  const baseUrl = provider === "google" ? `${url}/v1beta` : `${url}/v1`;
  const registry = createModelRegistry({ [provider]: { apiKey: "test-key-of-mine", baseUrl } });
  return registry.toChatModel({ provider, model, contextLimit: null, prices: null });
};
