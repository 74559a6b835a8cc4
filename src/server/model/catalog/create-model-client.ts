import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import { ModelCallError } from "@/server/model/classify-failure";
import { createDemoModel } from "@/server/model/demo/demo-model";
import { createJoiningFetch } from "@/server/model/stream/join-deltas";
import { createJsonFetch } from "@/server/model/stream/json-fetch";
import {
  KEY_VARIABLE,
  MODELS_PAGE,
  PROVIDER_TITLE,
  type ProviderAccess,
  type ProviderSettings,
} from "./providers";
import { repairEvents } from "@/server/model/stream/repair-events";
import { createToolsJson } from "@/server/model/tools-json";

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
  switch (provider) {
    case "demo":
      return createDemoModel();
    case "openai":
      return createOpenAI({
        ...toClientOptions(settings.openai),
        fetch: createJsonFetch(),
      }).responses(model);
    case "anthropic":
      return createAnthropic({
        ...toClientOptions(settings.anthropic),
        fetch: createJoiningFetch(["text", "thinking", "partial_json"], createJsonFetch()),
      })(model);
    case "google":
      return createGoogle({ ...toClientOptions(settings.google), fetch: createJsonFetch() })(model);
    case "openai-compatible":
      return createCompatibleClient(settings.openaiCompatible, model);
  }
};

/** @returns the error of a missing setting without which the provider cannot be called. */
export const findProviderProblem = (
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
            `${PROVIDER_TITLE[provider]} is not set up: enter a key ${MODELS_PAGE}, or set ${KEY_VARIABLE[provider]} and restart.`,
          );
    case "openai-compatible":
      return settings.openaiCompatible.baseUrl
        ? undefined
        : new ModelCallError(
            "config",
            `${PROVIDER_TITLE[provider]} has no address: enter one ${MODELS_PAGE}, or set OPENAI_COMPATIBLE_BASE_URL and restart.`,
          );
  }
};

const toClientOptions = ({ apiKey, baseUrl }: ProviderAccess) => ({
  ...(apiKey && { apiKey }),
  ...(baseUrl && { baseURL: baseUrl }),
});

const createCompatibleClient = (
  { apiKey, baseUrl = "" }: ProviderAccess,
  model: string,
): LanguageModelV4 => {
  const toolsJson = createToolsJson();
  const fetch = createJsonFetch(toolsJson.encode);
  const client = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: baseUrl,
    ...(apiKey && { apiKey }),
    includeUsage: true,
    transformRequestBody: toolsJson.replaceTools,
    fetch: createJoiningFetch(
      ["content", "reasoning_content", "reasoning", "arguments"],
      fetch,
      repairEvents,
    ),
  })(model);
  return toolsJson.toClient(client);
};

const createUnusableClient = (error: ModelCallError): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: "unusable",
  modelId: "unusable",
  supportedUrls: {},
  doStream: () => Promise.reject(error),
  doGenerate: () => Promise.reject(error),
});
