import type { DiscoveredModels, Model, ModelAccess } from "@/contract/model";
import { model } from "../settings/fixtures";

const STORED: ModelAccess = {
  source: "settings",
  from_environment: false,
  base_url: null,
  key: "settings",
};

export const OPENAI: Model = {
  ...model(1, "GPT-5 mini"),
  model: "gpt-5-mini",
  context_limit: 400_000,
  prices: { input: 250_000, output: 2_000_000, cache_read: 25_000 },
  access: STORED,
};
export const LOCAL: Model = {
  ...model(2, "Llama at home"),
  provider: "openai-compatible",
  model: "llama3.2",
  context_limit: null,
  access: { ...STORED, base_url: "http://127.0.0.1:11434/v1", key: "none" },
};
const FROM_ENVIRONMENT: Model = {
  ...model(3, "Claude Sonnet 4.5"),
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  access: { ...STORED, source: "environment", from_environment: true, key: "environment" },
};
const WITHOUT_KEY: Model = {
  ...model(4, "Gemini 2.5 Pro", false),
  provider: "google",
  model: "gemini-2.5-pro",
  access: {
    ...STORED,
    from_environment: true,
    key: "none",
    problem:
      "Google is not set up: enter a key in Settings > Models, or set GOOGLE_GENERATIVE_AI_API_KEY and restart.",
  },
};
const UNREADABLE: Model = {
  ...model(5, "GPT-5"),
  access: {
    ...STORED,
    key: "unreadable",
    problem:
      "The key of this model cannot be read, because the server's secret was changed: enter the key again in Settings > Models.",
  },
};
export const DEMO: Model = {
  ...model(6, "Demo"),
  provider: "demo",
  model: "demo",
  prices: { input: 0, output: 0 },
  access: { ...STORED, source: "environment", from_environment: true, key: "none" },
};
export const ALL_MODELS = [OPENAI, LOCAL, FROM_ENVIRONMENT, WITHOUT_KEY, UNREADABLE, DEMO];

/** What a server of a person's own answers. */
export const SERVER_LIST: DiscoveredModels = {
  ok: true,
  message: "The OpenAI-compatible server has 3 models.",
  data: ["llama3.2", "mistral-small", "qwen3"].map((model, index) => ({
    model,
    name: model,
    context_limit: index === 2 ? 32_768 : null,
    tool_protocol: "native",
  })),
};
export const OPENAI_LIST: DiscoveredModels = {
  ok: true,
  message: "OpenAI has 2 models.",
  data: [
    {
      model: "gpt-5-mini",
      name: "GPT-5 mini",
      context_limit: 400_000,
      max_output_tokens: 128_000,
      abilities: ["tools", "images", "reasoning"],
      tool_protocol: "native",
      prices: { input: 250_000, output: 2_000_000, cache_read: 25_000 },
      source: {
        url: "https://developers.openai.com/api/docs/models/gpt-5-mini",
        date: "2026-11-27",
      },
    },
    { model: "gpt-next", name: "gpt-next", context_limit: null, tool_protocol: "native" },
  ],
};
export const NO_LIST: DiscoveredModels = {
  ok: false,
  message: "OpenAI is refusing the API key. Enter it again here, or check OPENAI_API_KEY.",
  detail: "Incorrect API key provided",
  data: [],
};
