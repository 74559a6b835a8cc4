/** Whether an address is Anthropic's own, and not that of a gateway or of another server with its API. */
export const isAnthropicAddress = (baseUrl: string | undefined): boolean =>
  !baseUrl || /(?:^|\.)anthropic\.com$/i.test(new URL(baseUrl).hostname);
