/** The key and the address of one provider; an address left out is the provider's own. */
export type ProviderAccess = { apiKey?: string | undefined; baseUrl?: string | undefined };

/** What the environment says about each provider. */
export type ProviderSettings = {
  openai: ProviderAccess;
  anthropic: ProviderAccess;
  google: ProviderAccess;
  /** Local servers need no key, but have no address of their own. */
  openaiCompatible: ProviderAccess;
};
