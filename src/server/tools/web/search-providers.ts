import { fetch } from "undici";
import * as z from "zod";
import type { SearchHit, SearchProviderName, SearchTimeRange } from "@/contract/web";
import { getErrorMessage } from "@/lib/error-message";
import { findDispatcher } from "@/server/net/outbound-proxy";
import { explainUselessConnection } from "@/server/net/useless-connection";
import { readBody } from "./read-body";

/** The settings of the environment for search. */
export type SearchSettings = {
  /** One provider alone, every one that is configured, or none. */
  use: SearchProviderName | "auto" | "off";
  tavilyApiKey: string | null;
  braveApiKey: string | null;
  /** Without a trailing slash. */
  searxngUrl: string | null;
};

export type SearchQuery = {
  query: string;
  count: number;
  timeRange: SearchTimeRange | undefined;
};

export type SearchProvider = {
  name: SearchProviderName;
  /** @throws {SearchFailure} when there is no answer; the signal's reason when it is aborted. */
  search: (query: SearchQuery, signal: AbortSignal) => Promise<SearchHit[]>;
};

/** Why a provider gave no results, as the end of a sentence; it never contains a key. */
export class SearchFailure extends Error {
  override readonly name = "SearchFailure";
}

/** The public addresses; tests have their own. */
const PUBLIC_URLS = { tavily: "https://api.tavily.com", brave: "https://api.search.brave.com" };

/** Creates the configured providers, in the order in which they are asked. */
export const createSearchProviders = (
  { use, tavilyApiKey, braveApiKey, searxngUrl }: SearchSettings,
  urls = PUBLIC_URLS,
): SearchProvider[] => {
  const configured = [
    tavilyApiKey === null ? undefined : createTavily(tavilyApiKey, urls.tavily),
    braveApiKey === null ? undefined : createBrave(braveApiKey, urls.brave),
    searxngUrl === null ? undefined : createSearxng(searxngUrl),
  ];
  return configured.filter(
    (provider): provider is SearchProvider =>
      provider !== undefined && (use === "auto" || use === provider.name),
  );
};

const Text = z.string().nullish();
const TavilyAnswer = z.object({
  results: z.array(z.object({ title: Text, url: z.string(), content: Text })),
});
const BraveAnswer = z.object({
  web: z
    .object({ results: z.array(z.object({ title: Text, url: z.string(), description: Text })) })
    .nullish(),
});

const createTavily = (apiKey: string, url: string): SearchProvider => ({
  name: "tavily",
  search: async ({ query, count, timeRange }, signal) => {
    const { results } = await request(TavilyAnswer, `${url}/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        query,
        max_results: count,
        ...(timeRange !== undefined && { time_range: timeRange }),
      }),
      signal,
    });
    return toHits(results);
  },
});

const BRAVE_FRESHNESS: Record<SearchTimeRange, string> = {
  day: "pd",
  week: "pw",
  month: "pm",
  year: "py",
};

const createBrave = (apiKey: string, url: string): SearchProvider => ({
  name: "brave",
  search: async ({ query, count, timeRange }, signal) => {
    const parameters = new URLSearchParams({
      q: query,
      count: String(count),
      // Without tags around the words that were found.
      text_decorations: "false",
      ...(timeRange !== undefined && { freshness: BRAVE_FRESHNESS[timeRange] }),
    });
    const { web } = await request(BraveAnswer, `${url}/res/v1/web/search?${parameters}`, {
      headers: { "x-subscription-token": apiKey, accept: "application/json" },
      signal,
    });
    const results = web?.results ?? [];
    return toHits(results.map(({ description, ...hit }) => ({ ...hit, content: description })));
  },
});

const createSearxng = (url: string): SearchProvider => ({
  name: "searxng",
  search: async ({ query, timeRange }, signal) => {
    const parameters = new URLSearchParams({
      q: query,
      format: "json",
      ...(timeRange !== undefined && { time_range: timeRange }),
    });
    const { results } = await request(TavilyAnswer, `${url}/search?${parameters}`, { signal });
    return toHits(results);
  },
});

/** An answer has some 100 kB; more is no answer of a search. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

type RequestOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
};

const request = async <Answer>(
  schema: z.ZodType<Answer>,
  url: string,
  options: RequestOptions,
): Promise<Answer> => {
  // A redirect could take the key elsewhere.
  const response = await fetch(url, {
    ...options,
    ...findDispatcher(url),
    redirect: "error",
  }).catch((error: unknown) => {
    options.signal.throwIfAborted();
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const problem =
      explainUselessConnection(cause) ?? `could not be reached (${getErrorMessage(cause)})`;
    throw new SearchFailure(problem.replace(/\.$/, ""), { cause: error });
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new SearchFailure(describeStatus(response.status));
  }
  const { bytes } = await readBody(response, MAX_ANSWER_BYTES);
  const answer = schema.safeParse(parseJson(bytes));
  if (answer.success) return answer.data;
  throw new SearchFailure("answered in an unknown format");
};

/** Brave refuses a wrong key with 422. */
const REFUSED = [401, 403, 422];
/** Tavily has the two others for the limits of a plan. */
const NONE_LEFT = [429, 432, 433];

const describeStatus = (status: number): string => {
  if (REFUSED.includes(status)) return `refused the request or its API key (${status})`;
  if (NONE_LEFT.includes(status)) return `has no more requests left for now (${status})`;
  return `answered with status ${status}`;
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // It is reported as an unknown format.
    return undefined;
  }
};

type RawHit = z.infer<typeof TavilyAnswer>["results"][number];

const isBlank = (text: string | null | undefined): text is "" | null | undefined =>
  (text ?? "").trim() === "";

const toHits = (results: readonly RawHit[]): SearchHit[] =>
  results
    .filter(({ url }) => /^https?:\/\//i.test(url))
    .map(({ title, url, content }) => ({
      title: isBlank(title) ? url : title.trim(),
      url,
      snippet: content?.trim() ?? "",
    }));
