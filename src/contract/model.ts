import * as z from "zod";
import { ReasoningEffort } from "./parameters";
import { ProviderToolName } from "./provider-tool";
import { ABILITIES, PROVIDERS } from "./providers";

export const ProviderName = z.enum(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]);
export type ProviderName = z.infer<typeof ProviderName>;

/** How a model calls tools: by the calls of its provider's API, or as XML in its answers, which is for models without them. */
export const ToolProtocol = z.enum(["native", "xml"]);
export type ToolProtocol = z.infer<typeof ToolProtocol>;

/** Which files a model reads as they are: of the others it gets a text, or their names. */
export const ModelReading = z.enum(["text", "images", "images_and_pdfs"]);
export type ModelReading = z.infer<typeof ModelReading>;

/** What a model can do besides reading and writing text. */
export const ModelAbility = z.enum(Object.keys(ABILITIES) as (keyof typeof ABILITIES)[]);
export type ModelAbility = z.infer<typeof ModelAbility>;

/** Prices per million tokens, in millionths of the currency unit. */
export const ModelPrices = z
  .object({
    input: z.int().nonnegative(),
    output: z.int().nonnegative(),
    cache_read: z.int().nonnegative().optional(),
    cache_write: z.int().nonnegative().optional(),
  })
  .meta({ id: "ModelPrices" });
export type ModelPrices = z.infer<typeof ModelPrices>;

/** Where the key of a model's calls comes from; `unreadable` after a change of the server's secret. */
export const ModelKeySource = z.enum(["none", "environment", "settings", "unreadable"]);
export type ModelKeySource = z.infer<typeof ModelKeySource>;

/** How a model is reached. Only administrators see it, and it has no key. */
export const ModelAccess = z
  .object({
    /** `environment` for a model that PARLEY_MODELS names: it is changed and removed there. */
    source: z.enum(["environment", "settings"]),
    /** True if key and address are those of the environment, and not those of the settings. */
    from_environment: z.boolean(),
    /** The address in the settings; null for the provider's own, or for that of the environment. */
    base_url: z.string().nullable(),
    key: ModelKeySource,
    /** What `file_search` searches, as the provider names it. Absent if there are none. */
    file_stores: z.array(z.string()).optional(),
    /** Why the model cannot be called as it is set up. */
    problem: z.string().optional(),
  })
  .meta({ id: "ModelAccess" });
export type ModelAccess = z.infer<typeof ModelAccess>;

/** A model that chats can use. */
export const Model = z
  .object({
    id: z.uuid(),
    provider: ProviderName,
    model: z.string(),
    name: z.string(),
    context_limit: z.int().nullable(),
    /** As they are known, set by `reads`, and learned from refusals of its server. Absent if nothing is known. */
    abilities: z.array(ModelAbility).optional(),
    /** As it is set; absent for what is known or learned. */
    reads: ModelReading.optional(),
    tool_protocol: ToolProtocol,
    prices: ModelPrices.optional(),
    /** How long an answer is waited for until its first event; DEFAULT_WAIT_MINUTES if it is not set. */
    wait_minutes: z.int().optional(),
    /** The efforts that it has, as far as it is known; none for a model that does not reason. */
    reasoning_efforts: z.array(ReasoningEffort).optional(),
    /** As they are set; of calls whose chat and message set nothing else. */
    reasoning_effort: ReasoningEffort.optional(),
    temperature: z.number().optional(),
    max_output_tokens: z.int().optional(),
    /** From which percentage of its context on a chat is summed up; DEFAULT_COMPACT_AT if it is not set, never at 100. */
    compact_at: z.int().optional(),
    /** Tools that its provider runs, which chats may use. Absent if there are none. */
    provider_tools: z.array(ProviderToolName).optional(),
    enabled: z.boolean(),
    is_default: z.boolean(),
    /** For administrators, in the list of all models and in the answers to changes. */
    access: ModelAccess.optional(),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof Model>;

export const ModelTestResult = z
  .object({
    ok: z.boolean(),
    /** A sentence: that the model answered, or why it did not. */
    message: z.string(),
    /** What the provider said, at most 500 code points, secrets removed. */
    detail: z.string().optional(),
    duration_ms: z.int(),
  })
  .meta({ id: "ModelTestResult" });
export type ModelTestResult = z.infer<typeof ModelTestResult>;

/** A model that a provider's server offers, with what is known of it. */
export const DiscoveredModel = z
  .object({
    /** As the server calls it. */
    model: z.string(),
    name: z.string(),
    context_limit: z.int().nullable(),
    max_output_tokens: z.int().optional(),
    abilities: z.array(ModelAbility).optional(),
    tool_protocol: ToolProtocol,
    prices: ModelPrices.optional(),
    /** The vendor's page, and when the table of known models was checked; absent if the table does not have the model. */
    source: z.object({ url: z.string(), date: z.iso.date() }).optional(),
  })
  .meta({ id: "DiscoveredModel" });
export type DiscoveredModel = z.infer<typeof DiscoveredModel>;

export const DiscoveredModels = z
  .object({
    ok: z.boolean(),
    /** A sentence: how many there are, or why there is no list. */
    message: z.string(),
    /** What the server said, at most 500 code points, secrets removed. */
    detail: z.string().optional(),
    /** Those of the table first, then by their ids. */
    data: z.array(DiscoveredModel),
  })
  .meta({ id: "DiscoveredModels" });
export type DiscoveredModels = z.infer<typeof DiscoveredModels>;
