import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelPrices, ProviderName } from "@/contract/model";
import { createModelClient, providerProblem } from "./create-model-client";
import type { ChatModel } from "./model-step";
import type { ProviderSettings } from "./provider-settings";

/** What a configured model's row has to say here. */
export type ConfiguredModel = {
  provider: ProviderName;
  model: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
};

/** What every call to a provider asks for. */
const OPTIONS: Partial<Record<ProviderName, SharedV4ProviderOptions>> = {
  // Nothing is kept at the provider; reasoning comes back encrypted and is sent along again.
  openai: { openai: { store: false } },
  // Pings are what tells long thinking from a connection that hangs.
  anthropic: { anthropic: { includePings: true } },
};

/** Joins configured models with the clients of their providers, one client for each model. */
export const createModelRegistry = (settings: ProviderSettings) => {
  const clients = new Map<string, LanguageModelV4>();

  const clientOf = (provider: ProviderName, model: string): LanguageModelV4 => {
    const label = `${provider}/${model}`;
    const client = clients.get(label) ?? createModelClient(settings, provider, model);
    clients.set(label, client);
    return client;
  };

  return {
    /** Why a model cannot be called, as far as the settings tell. */
    problemOf: ({ provider }: Pick<ConfiguredModel, "provider">): string | undefined =>
      providerProblem(settings, provider)?.message,

    toChatModel: ({ provider, model, contextLimit, prices }: ConfiguredModel): ChatModel => {
      const providerOptions = OPTIONS[provider];
      return {
        provider,
        model,
        label: `${provider}/${model}`,
        contextLimit,
        prices,
        client: clientOf(provider, model),
        ...(providerOptions && { providerOptions }),
      };
    },
  };
};

export type ModelRegistry = ReturnType<typeof createModelRegistry>;
