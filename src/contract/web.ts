import * as z from "zod";

/** What `web_fetch` got. */
export const WebFetchResult = z.object({
  url: z.string(),
  /** After all redirects. */
  final_url: z.string(),
  status: z.int(),
  content_type: z.string(),
  title: z.string().optional(),
  /** Empty for an image, which is an artifact. */
  text: z.string(),
  /** Whether the content goes on after the text. */
  truncated: z.boolean(),
});
export type WebFetchResult = z.infer<typeof WebFetchResult>;

export const SearchProviderName = z.enum(["tavily", "brave", "searxng"]);
export type SearchProviderName = z.infer<typeof SearchProviderName>;

/** How old a page may be. */
export const SearchTimeRange = z.enum(["day", "week", "month", "year"]);
export type SearchTimeRange = z.infer<typeof SearchTimeRange>;

/** A page that a search has found. */
export const SearchHit = z.object({ title: z.string(), url: z.string(), snippet: z.string() });
export type SearchHit = z.infer<typeof SearchHit>;

/** What `web_search` has found. */
export const WebSearchResult = z.object({
  query: z.string(),
  provider: SearchProviderName,
  results: z.array(SearchHit),
});
export type WebSearchResult = z.infer<typeof WebSearchResult>;
