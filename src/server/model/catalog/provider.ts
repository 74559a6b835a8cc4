import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4ProviderTool,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Effort } from "@/contract/efforts";
import type { JsonValue } from "@/contract/json";
import type { ProviderToolName } from "@/contract/provider-tool";
import type { SentParameters } from "@/server/model/model-step";

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** API key and base URL of one provider; without a base URL its default is used. */
export type ProviderAccess = { apiKey?: string | undefined; baseUrl?: string | undefined };

/** Where a server has the list of its models. */
export type ModelListing = {
  /** The provider's own address, under which its client calls models too; undefined if it has none. */
  address?: string;
  path: string;
  toHeaders: (apiKey: string) => Record<string, string>;
};

/** A call that asks for an effort. */
export type ThinkingCall = {
  model: string;
  effort: Effort;
  /** Whether the provider may be asked to show what the model thinks. */
  isShown: boolean;
  /** 0 where the provider's own limit counts. */
  maxOutputTokens: number;
  prompt: LanguageModelV4Prompt;
};

/** How a provider is called, and how it differs from others. What people read about it is in src/contract/providers.ts. */
export type Provider = {
  /** Creates the client of one model, without a request. */
  createClient: (access: ProviderAccess, model: string) => LanguageModelV4;
  /** Without it, its models cannot be listed. */
  listing?: ModelListing;
  /** Options of every call. */
  options?: SharedV4ProviderOptions;
  /** Changes what its API or its models would misread. */
  adaptPrompt?: (prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt;
  /** Whether the API takes images in results of tools. By default, they follow in a user message. */
  takesImagesInResults?: (model: string) => boolean;
  /** Whether the API takes PDFs as documents. By default, models get their text. */
  takesPdfs?: boolean;
  /** How a request asks for an effort, which the model has; by the option `reasoning` by default. */
  toThinking?: (call: ThinkingCall) => SentParameters;
  /** Whether a request can enforce the form of the answer, and still call its tools. Otherwise the prompt alone asks for it. */
  canEnforceFormat?: (call: { model: string; hasTools: boolean }) => boolean;
  /** Tokens of an answer of a model of which nothing is known, where the API takes no request without a limit. */
  needOutputLimit?: (model: { model: string; contextLimit: number | null }) => number;
  /** The tools that it runs itself, as its client takes them. */
  tools?: Partial<
    Record<ProviderToolName, (stores: readonly string[]) => LanguageModelV4ProviderTool>
  >;
  /**
   * Finds whether an answer was paused in the middle of the provider's own tools: with what options the answer is sent back
   * to go on.
   */
  findPause?: (finish: Finish) => SharedV4ProviderOptions | undefined;
  /** Whether a request with its tools of these names can have a call that it has run; by default, of a tool with its name. */
  takesBack?: (call: { toolName: string; output: JsonValue; names: readonly string[] }) => boolean;
  /** Whether it runs a call after the results of others that were called with it; the call is sent back without a result. */
  resumesCalls?: boolean;
  /** Whether one request can have such tools and others; by default, it can. */
  mixesTools?: (model: string) => boolean;
  /** Most tools of one request. */
  maxTools?: number;
  /** False where reasoning cannot be turned off by the option `reasoning`. */
  hasReasoningOption?: boolean;
};

export const toBearer = (apiKey: string): Record<string, string> => ({
  authorization: `Bearer ${apiKey}`,
});

/** Converts the access to the options of a client of the AI SDK. */
export const toClientOptions = ({ apiKey, baseUrl }: ProviderAccess) => ({
  ...(apiKey && { apiKey }),
  ...(baseUrl && { baseURL: baseUrl }),
});
