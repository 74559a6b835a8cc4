import type { ProviderName } from "@/contract/model";

/** Names of providers, usable as the subject of a sentence. */
export const PROVIDER_TITLE: Record<ProviderName, string> = {
  demo: "The demo model",
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  "openai-compatible": "The OpenAI-compatible server",
};

/** Where keys and addresses are entered, at the end of a sentence or before a comma. */
export const MODELS_PAGE = "in Settings > Models";

/** Environment variables of the API keys; the demo model needs none. */
export const KEY_VARIABLE: Record<Exclude<ProviderName, "demo">, string> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
};

/** API key and base URL of one provider; without a base URL its default is used. */
export type ProviderAccess = { apiKey?: string | undefined; baseUrl?: string | undefined };

/** Settings of all providers, from the environment. */
export type ProviderSettings = {
  openai: ProviderAccess;
  anthropic: ProviderAccess;
  google: ProviderAccess;
  /** Has no default base URL; many local servers need no key. */
  openaiCompatible: ProviderAccess;
};

/** The settings of a provider; the demo model has none. */
const accessOf = (settings: ProviderSettings, provider: ProviderName): ProviderAccess => {
  if (provider === "demo") return {};
  return settings[provider === "openai-compatible" ? "openaiCompatible" : provider];
};

export const hasKey = (settings: ProviderSettings, provider: ProviderName): boolean =>
  accessOf(settings, provider).apiKey !== undefined;

/** Whether a provider can be called: a compatible server needs an address, the others a key. */
export const hasAccess = (settings: ProviderSettings, provider: ProviderName): boolean =>
  provider === "openai-compatible"
    ? settings.openaiCompatible.baseUrl !== undefined
    : hasKey(settings, provider);

/** Settings that have access to one provider only. */
export const withAccess = (provider: ProviderName, access: ProviderAccess): ProviderSettings => ({
  openai: {},
  anthropic: {},
  google: {},
  openaiCompatible: {},
  ...(provider !== "demo" && {
    [provider === "openai-compatible" ? "openaiCompatible" : provider]: access,
  }),
});
