/** A count of tokens for people: `840`, `12.4K`, `200K`, `1.2M`. */
export const formatTokens = (tokens: number): string => {
  if (tokens < 1_000) return String(tokens);
  return tokens < 999_500 ? `${short(tokens / 1_000)}K` : `${short(tokens / 1_000_000)}M`;
};

const short = (value: number): string =>
  value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
