import type { SharedV4ProviderOptions } from "@ai-sdk/provider";

/** Merges options per provider; those of `later` override those of `first`. */
export const mergeProviderOptions = (
  first: SharedV4ProviderOptions | undefined,
  later: SharedV4ProviderOptions | undefined,
): SharedV4ProviderOptions | undefined => {
  if (first === undefined || later === undefined) return later ?? first;
  const merged = { ...first };
  for (const [provider, options] of Object.entries(later)) {
    merged[provider] = { ...merged[provider], ...options };
  }
  return merged;
};
