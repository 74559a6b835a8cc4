import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";

/** Would make the nested call a continuation of the agent's own conversation at the provider. */
const CHAIN_KEYS = ["previousResponseId", "previous_response_id", "conversation"];

/**
 * A model's options for one nested call: a copy of their own, chained to nothing, and with nothing
 * left behind at the provider.
 */
export const nestedOptions = (
  provider: ProviderName,
  options: SharedV4ProviderOptions = {},
): SharedV4ProviderOptions => {
  const nested = structuredClone(options);
  for (const settings of Object.values(nested)) {
    for (const key of CHAIN_KEYS) Reflect.deleteProperty(settings, key);
    if ("store" in settings) settings.store = false;
  }
  // Its default is to keep what it answers.
  if (provider === "openai") nested.openai = { ...nested.openai, store: false };
  return nested;
};
