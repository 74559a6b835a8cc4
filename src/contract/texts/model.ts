import type {
  DiscoveredModel,
  DiscoveredModels,
  Model,
  ModelAccess,
  ModelPrices,
  ModelTestResult,
} from "@/contract/model";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const MODEL_TEXTS = {
  Model: {
    id: ["The id of the model."],
    provider: ["The provider of the model.", "openai"],
    model: ["The provider's id of the model.", "gpt-5-mini"],
    name: ["The name, for people.", "GPT-5 mini"],
    context_limit: ["Tokens that the model can read; null if not known.", 400_000],
    abilities: [
      "What the model can do besides reading and writing text, if that is known. Files that its server has refused are left out.",
    ],
    reads: [
      "Which files it reads as they are, if an administrator has set that.",
      "images_and_pdfs",
    ],
    tool_protocol: [
      "How it calls tools: `native`, or `xml` for a model without tool calls, which writes them in its answers.",
      "native",
    ],
    prices: ["What the model costs; without them, no cost is counted."],
    wait_minutes: [
      "Minutes to wait for the first event of an answer, at most 30; 5 without it.",
      10,
    ],
    reasoning_efforts: [
      "The efforts that it has, if they are known: another one is replaced by the next lower one, else by the next higher one. Empty for a model that does not reason.",
    ],
    reasoning_effort: [
      "How much it thinks where chat and message set nothing; the provider's default without it.",
      "medium",
    ],
    temperature: [
      "Its temperature where chat and message set none; the provider's default without it.",
      0.7,
    ],
    max_output_tokens: [
      "The limit of its answers in tokens, and the highest that chats and messages can set; what is known of the model without it.",
      32_000,
    ],
    compact_at: [
      "From which percentage of its context on a chat is summed up; 80 without it, never at 100.",
      70,
    ],
    provider_tools: [
      "Tools that its provider runs itself, and that chats may use; absent if there are none.",
      ["web_search"],
    ],
    enabled: ["True if chats may use the model."],
    is_default: ["True for the model of chats without one of their own."],
    access: ["How the model is reached; for administrators."],
  } satisfies FieldTexts<Model>,
  ModelPrices: {
    input: ["Millionths of a dollar per million tokens read.", 250_000],
    output: ["Millionths of a dollar per million tokens written.", 2_000_000],
    cache_read: ["Millionths of a dollar per million tokens from the provider's cache.", 25_000],
    cache_write: ["Millionths of a dollar per million tokens written to that cache.", 300_000],
  } satisfies FieldTexts<ModelPrices>,
  ModelAccess: {
    source: ["`environment` for a model that PARLEY_MODELS names."],
    from_environment: ["True if key and address are those of the environment."],
    base_url: ["The address of the API; null for the provider's own.", "http://127.0.0.1:11434/v1"],
    key: ["Where the key comes from; it is never shown."],
    file_stores: [
      "What `file_search` searches: ids of vector stores (OpenAI), names of file search stores (Google).",
      ["vs_68e1"],
    ],
    problem: ["Why the model cannot be called as it is set up.", "OpenAI is not set up."],
  } satisfies FieldTexts<ModelAccess>,
  ModelTestResult: {
    ok: ["True if the model answered."],
    message: ["Whether the model answered, and if not, why.", "GPT-5 mini answers."],
    detail: ["What the provider said, without secrets.", "invalid x-api-key"],
    duration_ms: SHARED.duration_ms,
  } satisfies FieldTexts<ModelTestResult>,
  DiscoveredModel: {
    model: ["The id of the model on its server.", "gpt-5-mini"],
    name: ["The name, for people.", "GPT-5 mini"],
    context_limit: ["Tokens that the model can read; null if not known.", 400_000],
    max_output_tokens: ["Tokens of the longest answer.", 128_000],
    abilities: ["What the model can do besides reading and writing text."],
    tool_protocol: ["How a new model of this id calls tools.", "native"],
    prices: ["What the model costs, by the table of known models."],
    source: ["Where the table of known models has its facts from."],
    "source.url": [
      "The vendor's page.",
      "https://developers.openai.com/api/docs/models/gpt-5-mini",
    ],
    "source.date": ["The day on which the facts were checked.", "2026-11-27"],
  } satisfies FieldTexts<DiscoveredModel>,
  DiscoveredModels: {
    ok: ["True if the server has a list."],
    message: [
      "How many models there are, or why there is no list.",
      "The OpenAI-compatible server has 3 models.",
    ],
    detail: ["What the server said, without secrets.", "invalid x-api-key"],
    data: ["The models: those that are known first, then by their ids."],
  } satisfies FieldTexts<DiscoveredModels>,
} satisfies SchemaTexts;
