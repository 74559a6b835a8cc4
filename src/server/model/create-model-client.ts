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
  const problem = providerProblem(settings, provider);
  if (problem) return unusable(problem);
  switch (provider) {
    case "demo":
      return createDemoModel();
    case "openai":
      return createOpenAI(access(settings.openai)).responses(model);
    case "anthropic":
      return createAnthropic(access(settings.anthropic))(model);
    case "google":
      return createGoogle(access(settings.google))(model);
    case "openai-compatible":
      return compatible(settings.openaiCompatible, model);
  }
};

/** What keeps every call to a provider from being made, or undefined. */
export const providerProblem = (
  settings: ProviderSettings,
  provider: ProviderName,
): ModelCallError | undefined => {
  switch (provider) {
    case "demo":
      return undefined;
    case "openai":
    case "anthropic":
    case "google":
      return settings[provider].apiKey
        ? undefined
        : new ModelCallError(
            "missing_key",
            `${PROVIDER_TITLE[provider]} is not set up: set ${KEY_VARIABLE[provider]} and restart.`,
          );
    case "openai-compatible":
      return settings.openaiCompatible.baseUrl
        ? undefined
        : new ModelCallError(
            "config",
            `${PROVIDER_TITLE[provider]} has no address: set OPENAI_COMPATIBLE_BASE_URL and restart.`,
          );
  }
};

const access = ({ apiKey, baseUrl }: ProviderAccess) => ({
  ...(apiKey && { apiKey }),
  ...(baseUrl && { baseURL: baseUrl }),
});

const compatible = ({ apiKey, baseUrl = "" }: ProviderAccess, model: string): LanguageModelV4 =>
  createOpenAICompatible({
    name: "openai-compatible",
    baseURL: baseUrl,
    ...(apiKey && { apiKey }),
    includeUsage: true,
  })(model);

const unusable = (error: ModelCallError): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: "unusable",
  modelId: "unusable",
  supportedUrls: {},
  doStream: () => Promise.reject(error),
  doGenerate: () => Promise.reject(error),
});
