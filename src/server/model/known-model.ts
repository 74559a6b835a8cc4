import type { ModelPrices, ProviderName } from "@/contract/model";

export type KnownModel = { name: string; contextLimit: number | null; prices: ModelPrices | null };

/** A million tokens for a dollar is a price of this many. */
const DOLLAR = 1_000_000;

const model = (
  name: string,
  contextLimit: number,
  dollars: { input: number; output: number; read?: number; write?: number },
): KnownModel => ({
  name,
  contextLimit,
  prices: {
    input: Math.round(dollars.input * DOLLAR),
    output: Math.round(dollars.output * DOLLAR),
    ...(dollars.read !== undefined && { cache_read: Math.round(dollars.read * DOLLAR) }),
    ...(dollars.write !== undefined && { cache_write: Math.round(dollars.write * DOLLAR) }),
  },
});

/** List prices in dollars per million tokens; an administrator may write others. */
const KNOWN: Partial<Record<ProviderName, Record<string, KnownModel>>> = {
  demo: {
    demo: model("Demo", 200_000, { input: 0, output: 0 }),
  },
  openai: {
    "gpt-5": model("GPT-5", 400_000, { input: 1.25, output: 10, read: 0.125 }),
    "gpt-5-mini": model("GPT-5 mini", 400_000, { input: 0.25, output: 2, read: 0.025 }),
    "gpt-5-nano": model("GPT-5 nano", 400_000, { input: 0.05, output: 0.4, read: 0.005 }),
    "gpt-4.1": model("GPT-4.1", 1_047_576, { input: 2, output: 8, read: 0.5 }),
    "gpt-4.1-mini": model("GPT-4.1 mini", 1_047_576, { input: 0.4, output: 1.6, read: 0.1 }),
    "gpt-4o": model("GPT-4o", 128_000, { input: 2.5, output: 10, read: 1.25 }),
    "gpt-4o-mini": model("GPT-4o mini", 128_000, { input: 0.15, output: 0.6, read: 0.075 }),
  },
  anthropic: {
    "claude-opus-4-5": model("Claude Opus 4.5", 200_000, {
      input: 5,
      output: 25,
      read: 0.5,
      write: 6.25,
    }),
    "claude-sonnet-4-5": model("Claude Sonnet 4.5", 200_000, {
      input: 3,
      output: 15,
      read: 0.3,
      write: 3.75,
    }),
    "claude-haiku-4-5": model("Claude Haiku 4.5", 200_000, {
      input: 1,
      output: 5,
      read: 0.1,
      write: 1.25,
    }),
  },
  google: {
    "gemini-2.5-pro": model("Gemini 2.5 Pro", 1_048_576, { input: 1.25, output: 10, read: 0.31 }),
    "gemini-2.5-flash": model("Gemini 2.5 Flash", 1_048_576, {
      input: 0.3,
      output: 2.5,
      read: 0.075,
    }),
    "gemini-2.5-flash-lite": model("Gemini 2.5 Flash-Lite", 1_048_576, {
      input: 0.1,
      output: 0.4,
      read: 0.025,
    }),
  },
};

/** A release of a model is named after it, with its date. */
const RELEASE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** What is known of a model by its id alone; a name at least, which is then the id. */
export const knownModel = (provider: ProviderName, id: string): KnownModel =>
  KNOWN[provider]?.[id] ??
  KNOWN[provider]?.[id.replace(RELEASE, "")] ?? { name: id, contextLimit: null, prices: null };
