import * as z from "zod";
import { Text } from "./content";
import { MAX_WAIT_MINUTES, MIN_COMPACT_AT } from "./limits";
import { ModelPrices, ModelReading, ProviderName, ToolProtocol } from "./model";
import { OutputTokens, ReasoningEffort, Temperature } from "./parameters";
import { ProviderToolNames } from "./provider-tool";
import { QueryBoolean } from "./query-values";

/** Longest id or name of a model, in characters. */
export const MAX_NAME_LENGTH = 200;
const MAX_URL_LENGTH = 2_000;
/** Longest API key, in characters; those of some clouds are tokens with claims. */
const MAX_KEY_LENGTH = 8_000;
/** Above the context of any model, so that a number with too many digits is noticed. */
export const MAX_CONTEXT_TOKENS = 100_000_000;

/** Any host is allowed, loopback too, as local servers are what this is for, and administrators choose it. */
const BaseUrl = Text.trim()
  .max(MAX_URL_LENGTH)
  .refine(
    isBaseUrl,
    "must be an address such as http://127.0.0.1:11434/v1, without user name, query and fragment",
  )
  .transform((url) => url.replace(/(?<!\/)\/+$/, ""));

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => !part);
}

/** A header's value, in which other characters would fail each call. */
const ModelKey = Text.trim()
  .max(MAX_KEY_LENGTH)
  .regex(/^[\x21-\x7e]+$/, "must be one word without spaces or special characters");

const Name = Text.trim().min(1).max(MAX_NAME_LENGTH);
const WaitMinutes = z.int().min(1).max(MAX_WAIT_MINUTES).nullable();
const CompactAt = z.int().min(MIN_COMPACT_AT).max(100).nullable();
const ContextLimit = z.int().min(1).max(MAX_CONTEXT_TOKENS).nullable();

/** Most stores that `file_search` searches. */
const MAX_FILE_STORES = 5;

const FileStores = z.array(Text.trim().min(1).max(MAX_NAME_LENGTH)).max(MAX_FILE_STORES);

/** Tools that its provider runs, which chats may use. */
const TOOLS = {
  provider_tools: ProviderToolNames.optional(),
  /** What `file_search` searches: ids of vector stores (OpenAI), names of file search stores (Google). */
  file_stores: FileStores.optional(),
};

/** Of calls whose chat and message set nothing else; null for what is known of the model, or for the provider's own. */
const DEFAULTS = {
  /** Also the highest limit that chats and messages can set. */
  max_output_tokens: OutputTokens.nullable().optional(),
  reasoning_effort: ReasoningEffort.nullable().optional(),
  temperature: Temperature.nullable().optional(),
};

export const ListModelsInput = z.strictObject({
  /** Disabled ones too, and how each is reached; administrators only. */
  all: QueryBoolean.default(false),
});

export const CreateModelInput = z.strictObject({
  provider: ProviderName,
  /** The provider's id of the model. */
  model: Name,
  /** For people; a known model's name, or its id, by default. */
  name: Name.optional(),
  base_url: BaseUrl.optional(),
  /** Stored encrypted, and in no response. */
  api_key: ModelKey.optional(),
  /** Null if not known; a known model's by default, as are the prices. */
  context_limit: ContextLimit.optional(),
  prices: ModelPrices.nullable().optional(),
  /** A known model's by default, otherwise `native`. */
  tool_protocol: ToolProtocol.optional(),
  /** Null for what is known or learned. */
  reads: ModelReading.nullable().optional(),
  /** Null for the default. */
  wait_minutes: WaitMinutes.optional(),
  ...DEFAULTS,
  /** Percent of the context; null for the default, 100 for never. */
  compact_at: CompactAt.optional(),
  ...TOOLS,
  enabled: z.boolean().default(true),
  is_default: z.boolean().default(false),
});
export type CreateModelInput = z.infer<typeof CreateModelInput>;

export const ModelRef = z.strictObject({ model_id: z.string() });
export type ModelRef = z.infer<typeof ModelRef>;

export const UpdateModelInput = ModelRef.extend({
  model: Name.optional(),
  name: Name.optional(),
  /** Null for the provider's own address. A stored key is not sent to another address: send it again. */
  base_url: BaseUrl.nullable().optional(),
  /** Null removes the key. */
  api_key: ModelKey.nullable().optional(),
  context_limit: ContextLimit.optional(),
  prices: ModelPrices.nullable().optional(),
  tool_protocol: ToolProtocol.optional(),
  reads: ModelReading.nullable().optional(),
  wait_minutes: WaitMinutes.optional(),
  ...DEFAULTS,
  compact_at: CompactAt.optional(),
  ...TOOLS,
  enabled: z.boolean().optional(),
  is_default: z.boolean().optional(),
});
export type UpdateModelInput = z.infer<typeof UpdateModelInput>;

/** Asks a provider's server for its models, before one is added or changed. */
export const DiscoverModelsInput = z.strictObject({
  provider: ProviderName,
  /** The stored model that is changed: its address and its key, unless others are sent. */
  model_id: z.string().optional(),
  base_url: BaseUrl.nullable().optional(),
  /** Not stored. */
  api_key: ModelKey.optional(),
});
export type DiscoverModelsInput = z.infer<typeof DiscoverModelsInput>;
