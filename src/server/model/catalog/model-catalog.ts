import type { ModelPrices, ProviderName, ToolProtocol } from "@/contract/model";

export type CatalogEntry = {
  name: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
  toolProtocol: ToolProtocol;
};

/** Prices are in millionths of a dollar per million tokens. */
const MICROS_PER_DOLLAR = 1_000_000;

const createEntry = (
  name: string,
  contextLimit: number,
  dollars: { input: number; output: number; read?: number; write?: number },
): CatalogEntry => ({
  name,
  contextLimit,
  toolProtocol: "native",
  prices: {
    input: Math.round(dollars.input * MICROS_PER_DOLLAR),
    output: Math.round(dollars.output * MICROS_PER_DOLLAR),
    ...(dollars.read !== undefined && { cache_read: Math.round(dollars.read * MICROS_PER_DOLLAR) }),
    ...(dollars.write !== undefined && {
      cache_write: Math.round(dollars.write * MICROS_PER_DOLLAR),
    }),
  },
});

/** List prices in dollars per million tokens; the models' rows in the database may differ. */
const CATALOG: Partial<Record<ProviderName, Record<string, CatalogEntry>>> = {
  demo: {
    demo: createEntry("Demo", 200_000, { input: 0, output: 0 }),
    // The same model without tool calls.
    xml: {
      ...createEntry("Demo with XML", 200_000, { input: 0, output: 0 }),
      toolProtocol: "xml",
    },
  },
  openai: {
    "gpt-5": createEntry("GPT-5", 400_000, { input: 1.25, output: 10, read: 0.125 }),
    "gpt-5-mini": createEntry("GPT-5 mini", 400_000, { input: 0.25, output: 2, read: 0.025 }),
    "gpt-5-nano": createEntry("GPT-5 nano", 400_000, { input: 0.05, output: 0.4, read: 0.005 }),
    "gpt-4.1": createEntry("GPT-4.1", 1_047_576, { input: 2, output: 8, read: 0.5 }),
    "gpt-4.1-mini": createEntry("GPT-4.1 mini", 1_047_576, { input: 0.4, output: 1.6, read: 0.1 }),
    "gpt-4o": createEntry("GPT-4o", 128_000, { input: 2.5, output: 10, read: 1.25 }),
    "gpt-4o-mini": createEntry("GPT-4o mini", 128_000, { input: 0.15, output: 0.6, read: 0.075 }),
  },
  anthropic: {
    "claude-opus-4-5": createEntry("Claude Opus 4.5", 200_000, {
      input: 5,
      output: 25,
      read: 0.5,
      write: 6.25,
    }),
    "claude-sonnet-4-5": createEntry("Claude Sonnet 4.5", 200_000, {
      input: 3,
      output: 15,
      read: 0.3,
      write: 3.75,
    }),
    "claude-haiku-4-5": createEntry("Claude Haiku 4.5", 200_000, {
      input: 1,
      output: 5,
      read: 0.1,
      write: 1.25,
    }),
  },
  google: {
    "gemini-2.5-pro": createEntry("Gemini 2.5 Pro", 1_048_576, {
      input: 1.25,
      output: 10,
      read: 0.31,
    }),
    "gemini-2.5-flash": createEntry("Gemini 2.5 Flash", 1_048_576, {
      input: 0.3,
      output: 2.5,
      read: 0.075,
    }),
    "gemini-2.5-flash-lite": createEntry("Gemini 2.5 Flash-Lite", 1_048_576, {
      input: 0.1,
      output: 0.4,
      read: 0.025,
    }),
  },
};

/** Dated releases share the entry of their model. */
const RELEASE_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** Looks up a model's name, context limit, prices and protocol; an unknown model has its id as name. */
export const lookUpModel = (provider: ProviderName, id: string): CatalogEntry =>
  findEntry(provider, id) ??
  findEntry(provider, id.replace(RELEASE_SUFFIX, "")) ?? {
    name: id,
    contextLimit: null,
    prices: null,
    toolProtocol: "native",
  };

/** An id is any text, so it may be the name of a property that every object has. */
const findEntry = (provider: ProviderName, id: string): CatalogEntry | undefined => {
  const entries = CATALOG[provider] ?? {};
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
};
