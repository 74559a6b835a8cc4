import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelPrices, ToolProtocol } from "@/contract/model";

/** API key and base URL of one provider; without a base URL its default is used. */
export type ProviderAccess = { apiKey?: string | undefined; baseUrl?: string | undefined };

export type CatalogEntry = {
  name: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
  toolProtocol: ToolProtocol;
};

/** How a provider is called, and how it differs from others. What people read about it is in src/contract/providers.ts. */
export type Provider = {
  /** Creates the client of one model, without a request. */
  createClient: (access: ProviderAccess, model: string) => LanguageModelV4;
  /** Known models by their ids. */
  models?: Record<string, CatalogEntry>;
  /** Options of every call. */
  options?: SharedV4ProviderOptions;
  /** Changes what its API or its models would misread. */
  adaptPrompt?: (prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt;
  /** Whether the API takes images in results of tools. By default, they follow in a user message. */
  takesImagesInResults?: (model: string) => boolean;
  /** Most tools of one request. */
  maxTools?: number;
  /** False where reasoning cannot be turned off by the option `reasoning`. */
  hasReasoningOption?: boolean;
};

/** Prices are in millionths of a dollar per million tokens. */
const MICROS_PER_DOLLAR = 1_000_000;

/** @param dollars the list prices per million tokens; the model's row in the database may differ. */
export const createEntry = (
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

/** Converts the access to the options of a client of the AI SDK. */
export const toClientOptions = ({ apiKey, baseUrl }: ProviderAccess) => ({
  ...(apiKey && { apiKey }),
  ...(baseUrl && { baseURL: baseUrl }),
});
