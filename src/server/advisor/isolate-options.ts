import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import { ALL_PROVIDERS } from "@/server/model/catalog/providers/all-providers";

/** Options that make a call continue an earlier response or conversation at the provider. */
const CHAIN_KEYS = ["previousResponseId", "previous_response_id", "conversation"];

/**
 * Copies a model's options for a nested call that continues no other response and that the
 * provider does not store.
 */
export const isolateOptions = (
  provider: ProviderName,
  options: SharedV4ProviderOptions = {},
): SharedV4ProviderOptions => {
  const isolated = structuredClone(options);
  for (const settings of Object.values(isolated)) {
    for (const key of CHAIN_KEYS) Reflect.deleteProperty(settings, key);
    if ("store" in settings) settings.store = false;
  }
  // OpenAI stores responses by default.
  for (const [name, settings] of Object.entries(ALL_PROVIDERS[provider].options ?? {}))
    isolated[name] = { ...isolated[name], ...settings };
  return isolated;
};
