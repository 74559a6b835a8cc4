import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import { ModelCallError } from "@/server/model/classify-failure";
import { findProviderProblem, type ProviderSettings } from "./provider-access";
import { ALL_PROVIDERS } from "./providers/all-providers";

/**
 * Creates the client of one model, without a request to the provider. When a setting is missing,
 * all calls of the client fail with a message that says where to enter it.
 *
 * @param settings the error of all calls when they cannot be read.
 */
export const createModelClient = (
  settings: ProviderSettings | ModelCallError,
  provider: ProviderName,
  model: string,
): LanguageModelV4 => {
  if (settings instanceof ModelCallError) return createUnusableClient(settings);
  const problem = findProviderProblem(settings, provider);
  if (problem) return createUnusableClient(problem);
  return ALL_PROVIDERS[provider].createClient(settings[provider] ?? {}, model);
};

const createUnusableClient = (error: ModelCallError): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: "unusable",
  modelId: "unusable",
  supportedUrls: {},
  doStream: () => Promise.reject(error),
  doGenerate: () => Promise.reject(error),
});
