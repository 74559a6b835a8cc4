import type {
  LanguageModelV4,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ChatError } from "@/contract/chat-error";
import type { ModelPrices, ProviderName } from "@/contract/model";
import type { FinishReason } from "@/contract/message";
import type { MessageUsage } from "@/contract/usage";

/** A model that can be called: the configured row joined with its provider's client. */
export type ChatModel = {
  provider: ProviderName;
  /** The provider's id of the model. */
  model: string;
  /** "provider/model", as stored with messages and usage. */
  label: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
  client: LanguageModelV4;
  providerOptions?: SharedV4ProviderOptions;
};

export type StepRequest = {
  prompt: LanguageModelV4Prompt;
  tools: LanguageModelV4FunctionTool[];
  maxOutputTokens?: number;
  providerOptions?: SharedV4ProviderOptions;
};

type ProviderMetadata = Record<string, { [key: string]: unknown }>;

/** A part of the answer as the provider sent it, in the order of the parts' starts. */
export type StepPart =
  | { type: "text"; text: string; providerMetadata?: ProviderMetadata }
  | {
      type: "reasoning";
      text: string;
      startedAt: Date;
      completedAt: Date | null;
      providerMetadata?: ProviderMetadata;
    }
  | { type: "source"; url: string; title?: string }
  | {
      type: "tool_call";
      toolCallId: string;
      toolName: string;
      /** The arguments' JSON as the model wrote it; "" is no arguments. */
      input: string;
      /** The provider ran it itself; `output` is then its result. */
      providerExecuted: boolean;
      output?: unknown;
      isError?: boolean;
      startedAt: Date;
      providerMetadata?: ProviderMetadata;
    };

/** Hears of an answer while it is made; must not throw and must return at once. */
export type StepSink = {
  start: (index: number, part: StepPart) => void;
  /** More text, reasoning, or arguments of the part at `index`. */
  append: (index: number, delta: string) => void;
  end: (index: number) => void;
};

/** Why a model call failed, and whether trying again can help. */
export type ModelFailure = ChatError & {
  /** Milliseconds that the provider asked to wait. */
  retryAfterMs?: number;
};

/**
 * How one model call ended. `aborted` means by the caller's signal. The parts of an answer that
 * did not finish are what arrived until then.
 */
export type StepOutcome =
  | {
      type: "finished";
      parts: StepPart[];
      finishReason: FinishReason;
      usage: MessageUsage;
      responseId: string | null;
    }
  | { type: "aborted"; parts: StepPart[] }
  | { type: "failed"; parts: StepPart[]; failure: ModelFailure };

/** How long a provider may say nothing, in milliseconds. */
export type StepGuards = {
  /** Until the first sign of an answer. */
  firstPartMs: number;
  /** Between two parts of it. */
  silenceMs: number;
};

/** One model call without retries. Never rejects: a failure is an outcome. */
export type CallModel = (
  model: ChatModel,
  request: StepRequest,
  seams: { sink: StepSink; signal: AbortSignal; now: () => Date; guards?: StepGuards },
) => Promise<StepOutcome>;
