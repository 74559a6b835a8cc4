import type { ProviderName } from "@/contract/model";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";
import { MODELS_PAGE, ModelCallError } from "@/server/model/classify-failure";
import type { ProviderAccess } from "./provider";

/** The access to providers that the environment has. */
export type ProviderSettings = Partial<Record<ProviderName, ProviderAccess>>;

export const hasKey = (settings: ProviderSettings, provider: ProviderName): boolean =>
  settings[provider]?.apiKey !== undefined;

/** Whether a provider can be called. */
export const hasAccess = (settings: ProviderSettings, provider: ProviderName): boolean =>
  PROVIDERS[provider].needs === "address"
    ? settings[provider]?.baseUrl !== undefined
    : hasKey(settings, provider);

/** @returns the error of a missing setting without which the provider cannot be called. */
export const findProviderProblem = (
  settings: ProviderSettings,
  provider: ProviderName,
): ModelCallError | undefined => {
  const { needs, title } = PROVIDERS[provider];
  const { apiKey, baseUrl } = settings[provider] ?? {};
  const variable = findNeededVariable(provider);
  if (needs === "key" && !apiKey) {
    return new ModelCallError(
      "missing_key",
      `${title} is not set up: enter a key ${MODELS_PAGE}, or set ${variable} and restart.`,
    );
  }
  if (needs === "address" && !baseUrl) {
    return new ModelCallError(
      "config",
      `${title} has no address: enter one ${MODELS_PAGE}, or set ${variable} and restart.`,
    );
  }
  return undefined;
};
