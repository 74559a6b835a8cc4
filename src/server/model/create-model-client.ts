import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import { createDemoModel } from "./demo-model";
import { ModelCallError } from "./model-call-error";
import type { ProviderAccess, ProviderSettings } from "./provider-settings";
import { KEY_VARIABLE, PROVIDER_TITLE } from "./provider-title";

/**
 * The client of one model. Nothing is asked of the provider yet; a missing key is a client whose
 * calls fail with the variable to set.
 */
export const createModelClient = (
  settings: ProviderSettings,
  provider: ProviderName,
  model: string,
): LanguageModelV4 => {
  switch (provider) {
    case "demo":
      return createDemoModel();
    case "openai":
      return withKey(provider, settings.openai, (access) => createOpenAI(access).responses(model));
    case "anthropic":
      return withKey(provider, settings.anthropic, (access) => createAnthropic(access)(model));
    case "google":
      return withKey(provider, settings.google, (access) => createGoogle(access)(model));
    case "openai-compatible":
      return compatible(settings.openaiCompatible, model);
  }
};

const withKey = (
  provider: Exclude<ProviderName, "demo">,
  { apiKey, baseUrl }: ProviderAccess,
  create: (access: { apiKey: string; baseURL?: string }) => LanguageModelV4,
): LanguageModelV4 =>
  apiKey
    ? create({ apiKey, ...(baseUrl && { baseURL: baseUrl }) })
    : unusable(
        new ModelCallError(
          "missing_key",
          `${PROVIDER_TITLE[provider]} is not set up: set ${KEY_VARIABLE[provider]} and restart.`,
        ),
      );

const compatible = ({ apiKey, baseUrl }: ProviderAccess, model: string): LanguageModelV4 =>
  baseUrl
    ? createOpenAICompatible({
        name: "openai-compatible",
        baseURL: baseUrl,
        ...(apiKey && { apiKey }),
        includeUsage: true,
      })(model)
    : unusable(
        new ModelCallError(
          "config",
          `${PROVIDER_TITLE["openai-compatible"]} has no address: set OPENAI_COMPATIBLE_BASE_URL and restart.`,
        ),
      );

const unusable = (error: ModelCallError): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: "unusable",
  modelId: "unusable",
  supportedUrls: {},
  doStream: () => Promise.reject(error),
  doGenerate: () => Promise.reject(error),
});
