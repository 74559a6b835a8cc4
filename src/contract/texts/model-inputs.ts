import type * as z from "zod";
import type { ModelList } from "@/contract/chat-outputs";
import type {
  CreateModelInput,
  DiscoverModelsInput,
  ListModelsInput,
  ModelRef,
  UpdateModelInput,
} from "@/contract/model-inputs";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

const MODEL_SETTINGS = {
  model: ["The provider's id of the model.", "gpt-5-mini"],
  name: ["The name, for people.", "GPT-5 mini"],
  base_url: ["The address of the API; null for the provider's own.", "http://127.0.0.1:11434/v1"],
  api_key: ["The provider's key. Stored encrypted, and in no answer.", "sk-example"],
  context_limit: ["Tokens that the model can read; null if not known.", 400_000],
  prices: ["What the model costs; without them, no cost is counted."],
  tool_protocol: [
    "How it calls tools: `native`, or `xml` for a model without tool calls, which writes them in its answers.",
    "native",
  ],
  reads: [
    "Which files it reads as they are; null for what is known of the model, or learned when its server refuses one.",
    "images",
  ],
  wait_minutes: ["Minutes to wait for the first event of an answer, at most 30; null for 5.", 10],
  max_output_tokens: [
    "The limit of its answers in tokens, and the highest that chats and messages can set; null for what is known of the model.",
    32_000,
  ],
  reasoning_effort: [
    "How much it thinks where chat and message set nothing; null for the provider's default.",
    "medium",
  ],
  temperature: [
    "Its temperature where chat and message set none; null for the provider's default. Models that reason often take none.",
    0.7,
  ],
  compact_at: [
    "From which percentage of its context on a chat is summed up, 20 to 100; null for 80, 100 for never.",
    70,
  ],
  provider_tools: [
    "Tools that the provider runs itself and that chats may use: `web_search`, `code_execution` (OpenAI, Anthropic, Google), `file_search` (OpenAI, Google).",
    ["web_search"],
  ],
  file_stores: [
    "What `file_search` searches: ids of vector stores (OpenAI), or names of file search stores (Google); at most 5.",
    ["vs_68e1"],
  ],
  enabled: ["True if chats may use the model."],
  is_default: ["True for the model of chats without one of their own."],
} as const satisfies Record<string, FieldText>;

export const MODEL_INPUTS_TEXTS = {
  "models.list": {
    all: ["True for disabled models too, with their access; administrators only."],
    data: ["The models."],
  } satisfies FieldTexts<z.infer<typeof ListModelsInput> | ModelList>,
  "models.create": {
    ...MODEL_SETTINGS,
    provider: ["The provider of the model.", "openai"],
  } satisfies FieldTexts<CreateModelInput>,
  "models.update": {
    ...MODEL_SETTINGS,
    model_id: ["The id of the model.", "0198c0de-0000-7000-8000-000000000003"],
  } satisfies FieldTexts<UpdateModelInput>,
  "models.delete": {
    model_id: ["The id of the model.", "0198c0de-0000-7000-8000-000000000003"],
  } satisfies FieldTexts<ModelRef>,
  "models.test": {
    model_id: ["The id of the model.", "0198c0de-0000-7000-8000-000000000003"],
  } satisfies FieldTexts<ModelRef>,
  "models.discover": {
    provider: ["The provider whose models are listed.", "openai-compatible"],
    model_id: [
      "A stored model, whose address and key are used unless others are sent.",
      "0198c0de-0000-7000-8000-000000000003",
    ],
    base_url: MODEL_SETTINGS.base_url,
    api_key: ["The provider's key. It is not stored.", "sk-example"],
  } satisfies FieldTexts<DiscoverModelsInput>,
} satisfies SchemaTexts;
