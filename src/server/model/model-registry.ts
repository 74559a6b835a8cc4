import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelPrices, ProviderName } from "@/contract/model";
import { createModelClient, findProviderProblem } from "./create-model-client";
import type { ChatModel } from "./model-step";
import type { ProviderSettings } from "./providers";

/** The fields of a model's row that a call needs. */
export type ConfiguredModel = {
  provider: ProviderName;
  model: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
};

/** Options of every call to a provider. */
const PROVIDER_OPTIONS: Partial<Record<ProviderName, SharedV4ProviderOptions>> = {
  // The provider stores nothing, so encrypted reasoning is returned and sent back in the next step.
  openai: { openai: { store: false } },
  // Pings distinguish long reasoning from a connection that hangs.
  anthropic: { anthropic: { includePings: true } },
};

/** Creates the registry that joins configured models with clients, one client per model. */
export const createModelRegistry = (settings: ProviderSettings) => {
  const clients = new Map<string, LanguageModelV4>();

  const getClient = (provider: ProviderName, model: string): LanguageModelV4 => {
    const label = `${provider}/${model}`;
    const client = clients.get(label) ?? createModelClient(settings, provider, model);
    clients.set(label, client);
    return client;
  };

  return {
    /** @returns why the settings do not allow calls to a model; undefined if they do. */
    findProblem: ({ provider }: Pick<ConfiguredModel, "provider">): string | undefined =>
      findProviderProblem(settings, provider)?.message,

    toChatModel: ({ provider, model, contextLimit, prices }: ConfiguredModel): ChatModel => {
      const providerOptions = PROVIDER_OPTIONS[provider];
      return {
        provider,
        model,
        label: `${provider}/${model}`,
        contextLimit,
        prices,
        client: getClient(provider, model),
        ...(providerOptions && { providerOptions }),
      };
    },
  };
};

export type ModelRegistry = ReturnType<typeof createModelRegistry>;
