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
