import { afterEach, describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import type { WebSearchResult } from "@/contract/web";
import { startStubServer, type StubRequest } from "@/test/stub-server";
import { callTool, emptyToolDeps, recordedDeps } from "@/test/tool-fixture";
import { createTools } from "@/server/app/tool-registry";
import { createSearchProviders, type SearchSettings } from "./search-providers";

type Answer = Parameters<typeof startStubServer>[0];

const KEYS = { tavily: "tvly-0123456789abcdef", brave: "BSA-0123456789abcdef" };

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()));
});

const TAVILY = {
  query: "tides",
  results: [
    { title: "Tide tables", url: "https://tides.example/a", content: "High at six.", score: 0.9 },
    { title: "", url: "http://tides.example/b", content: null },
    { title: "Bad", url: "javascript:alert(1)", content: "x" },
  ],
};
const BRAVE = {
  type: "search",
  web: {
    results: [
      { title: "Ports", url: "https://ports.example/", description: "Two ports.", age: "1d" },
    ],
  },
};
const SEARXNG = {
  results: Array.from({ length: 20 }, (_, index) => ({
    title: `Page ${index}`,
    url: `https://pages.example/${index}`,
    content: "Text",
    engine: "x",
  })),
};

const sendJson =
  (body: JsonValue, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

type Servers = { tavily?: Answer; brave?: Answer; searxng?: Answer };

/** Starts servers that mimic the APIs, and searches with those that are given. */
const search = async (
  servers: Servers,
  args: { [key: string]: JsonValue } = {},
  use: SearchSettings["use"] = "auto",
) => {
  const start = async (answer: Answer | undefined) => {
    if (!answer) return undefined;
    const server = await startStubServer(answer);
    closes.push(server.close);
    return server;
  };
  const tavily = await start(servers.tavily);
  const brave = await start(servers.brave);
  const searxng = await start(servers.searxng);
  const searchProviders = createSearchProviders(
    {
      use,
      tavilyApiKey: tavily ? KEYS.tavily : null,
      braveApiKey: brave ? KEYS.brave : null,
      searxngUrl: searxng ? `${searxng.url}/sub` : null,
    },
    { tavily: tavily?.url ?? "", brave: brave?.url ?? "" },
  );
  const recorded = recordedDeps();
  const tools = Object.values(createTools({ ...emptyToolDeps, searchProviders }));
  const call = { name: "web_search", args: { query: "tides", ...args }, tools };
  const outcome = await callTool(call, recorded);
  const requests = (server: { requests: StubRequest[] } | undefined) => server?.requests ?? [];
  return {
    outcome,
    result: outcome.output as WebSearchResult,
    logged: recorded.logged,
    asked: {
      tavily: requests(tavily),
      brave: requests(brave),
      searxng: requests(searxng),
    },
  };
};

describe("web_search asks", () => {
  it("Tavily", async () => {
    const { result, asked } = await search(
      { tavily: sendJson(TAVILY) },
      { count: 3, time_range: "week" },
    );
    expect(result).toEqual({
      query: "tides",
      provider: "tavily",
      results: [
        { title: "Tide tables", url: "https://tides.example/a", snippet: "High at six." },
        { title: "http://tides.example/b", url: "http://tides.example/b", snippet: "" },
      ],
    });
    const [request] = asked.tavily;
    expect(request?.path).toBe("/search");
    expect(request?.headers.authorization).toBe(`Bearer ${KEYS.tavily}`);
    expect(request?.body).toEqual({ query: "tides", max_results: 3, time_range: "week" });
  });

  it("Brave", async () => {
    const { result, asked } = await search(
      { brave: sendJson(BRAVE) },
      { query: "tides & ports", time_range: "day" },
    );
    expect(result.provider).toBe("brave");
    expect(result.results).toEqual([
      { title: "Ports", url: "https://ports.example/", snippet: "Two ports." },
    ]);
    const [request] = asked.brave;
    expect(request?.path).toBe(
      "/res/v1/web/search?q=tides+%26+ports&count=5&text_decorations=false&freshness=pd",
    );
    expect(request?.headers["x-subscription-token"]).toBe(KEYS.brave);
  });

  it("SearXNG, below a path, and returns as many results as were wanted", async () => {
    const { result, asked } = await search({ searxng: sendJson(SEARXNG) }, { count: 10 });
    expect(result.provider).toBe("searxng");
    expect(result.results).toHaveLength(10);
    expect(asked.searxng[0]?.path).toBe("/sub/search?q=tides&format=json");
  });

  it("the first provider only, when it answers, also with nothing", async () => {
    const empty = { tavily: sendJson({ results: [] }), brave: sendJson(BRAVE) };
    const { result, asked } = await search(empty);
    expect(result).toMatchObject({ provider: "tavily", results: [] });
    expect(asked.brave).toEqual([]);
  });

  it("the chosen provider only", async () => {
    const both = { tavily: sendJson(TAVILY), brave: sendJson(BRAVE) };
    const { result, asked } = await search(both, {}, "brave");
    expect(result.provider).toBe("brave");
    expect(asked.tavily).toEqual([]);
  });

  it.each<[what: string, answer: Answer]>([
    ["refuses the key", sendJson({ detail: `bad key ${KEYS.tavily}` }, 401)],
    ["forbids the request", sendJson({}, 403)],
    ["has no requests left", sendJson({}, 429)],
    ["has an error", sendJson({}, 500)],
    ["answers with HTML", (response) => response.end("<p>Welcome</p>")],
    ["answers in another shape", sendJson({ results: [{ title: 1 }] })],
    ["redirects", (response) => response.writeHead(302, { location: "/login" }).end()],
    ["ends the connection", (response) => response.destroy()],
  ])("the next provider, when one %s", async (_what, answer) => {
    const { result, asked, logged } = await search({ tavily: answer, brave: sendJson(BRAVE) });
    expect(result.provider).toBe("brave");
    expect(asked.tavily).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain(KEYS.tavily);
  });
});

describe("web_search fails", () => {
  it("with the reason of each provider, and without a key", async () => {
    const { outcome } = await search({
      tavily: sendJson({ detail: `bad key ${KEYS.tavily}` }, 401),
      brave: sendJson({}, 429),
    });
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toBe(
      "The search failed: tavily refused the request or its API key (401); brave has no more requests left for now (429).",
    );
  });

  it("with the reason, where a provider has a status of its own for it", async () => {
    const { outcome } = await search({ tavily: sendJson({}, 432), brave: sendJson({}, 422) });
    expect(outcome.output).toBe(
      "The search failed: tavily has no more requests left for now (432); brave refused the request or its API key (422).",
    );
  });

  it.each<[what: string, args: { [key: string]: JsonValue }]>([
    ["an empty query", { query: "  " }],
    ["too many results", { count: 11 }],
    ["half a result", { count: 1.5 }],
    ["an unknown time", { time_range: "decade" }],
  ])("for %s, without a request", async (_what, args) => {
    const { outcome, asked } = await search({ tavily: sendJson(TAVILY) }, args);
    expect(outcome.state).toBe("error");
    expect(asked.tavily).toEqual([]);
  });

  it("as a tool that is not offered, when no provider is configured", async () => {
    const { outcome } = await search({});
    expect(outcome.state).toBe("error");
    const { web_search: tool } = createTools(emptyToolDeps);
    expect(tool.unavailable).toContain("TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_URL");
  });

  it("as a tool that is not offered, when search is turned off", async () => {
    const { outcome, asked } = await search({ tavily: sendJson(TAVILY) }, {}, "off");
    expect(outcome.state).toBe("error");
    expect(asked.tavily).toEqual([]);
  });
});
