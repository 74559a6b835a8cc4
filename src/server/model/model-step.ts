import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ProviderTool,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ChatError } from "@/contract/chat-error";
import type { Effort } from "@/contract/efforts";
import type { ModelAbility, ModelPrices, ProviderName, ToolProtocol } from "@/contract/model";
import type { ProviderToolName } from "@/contract/provider-tool";
import type { JsonValue } from "@/contract/json";
import type { FinishReason } from "@/contract/message";
import type { ResponseFormat } from "@/contract/response-format";
import type { MessageUsage } from "@/contract/usage";

/** What a call may be sent besides its prompt and its tools. */
export type CallParameters = {
  reasoningEffort?: Effort;
  temperature?: number;
  /** Tokens of the answer, with those that it thinks. */
  maxOutputTokens?: number;
};

/** What of them a provider's client is given. */
export type SentParameters = Pick<
  LanguageModelV4CallOptions,
  "reasoning" | "temperature" | "maxOutputTokens" | "responseFormat" | "providerOptions"
>;

/** A configured model together with its provider's client. */
export type ChatModel = {
  provider: ProviderName;
  /** The model's id at the provider. */
  model: string;
  /** "provider/model", stored with messages and usage. */
  label: string;
  contextLimit: number | null;
  /** The share of the context, in percent, from which a chat is summed up; by default, as for a model without that setting. */
  compactAt?: number | null;
  prices: ModelPrices | null;
  client: LanguageModelV4;
  /** Native when undefined. */
  toolProtocol?: ToolProtocol;
  /** What it can do besides reading and writing text; undefined if that is not known. */
  abilities?: readonly ModelAbility[];
  /** The efforts that it has, none if it does not reason; undefined if that is not known. */
  efforts?: readonly Effort[];
  /** Tokens of its longest answer; undefined if that is not known. */
  outputLimit?: number;
  /** What an administrator has set, for requests that set nothing else. */
  defaults?: CallParameters;
  /** How long an answer is waited for until its first part; by default, as for a model without that setting. */
  firstPartMs?: number;
  providerOptions?: SharedV4ProviderOptions;
  /** Tools that its provider runs, as an administrator has chosen them. */
  providerTools?: ReadonlyMap<ProviderToolName, LanguageModelV4ProviderTool>;
};

export type StepRequest = CallParameters & {
  prompt: LanguageModelV4Prompt;
  tools: LanguageModelV4FunctionTool[];
  /** Tools that the provider runs. */
  providerTools?: readonly LanguageModelV4ProviderTool[];
  /** Whose word calls in XML have; none for requests without tools. */
  chatId?: string;
  /** Of the last answer; enforced where the provider can do that. */
  responseFormat?: ResponseFormat | undefined;
  providerOptions?: SharedV4ProviderOptions;
  /** An answer without text and calls is a failure. */
  mustAnswer?: boolean;
  /** Builds the prompt with the texts of its PDFs, for a model that refuses them. Rejects when the database is away. */
  withoutPdfs?: (() => Promise<LanguageModelV4Prompt>) | undefined;
};

type ProviderMetadata = Record<string, { [key: string]: JsonValue }>;

/** A part of the answer as the provider sent it. */
export type StepPart =
  | {
      type: "text";
      text: string;
      /** In base64: the text is made when the image is stored. */
      image?: string;
      providerMetadata?: ProviderMetadata;
    }
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
      /** The arguments as JSON, not validated; "" when there are none. */
      input: string;
      /** True when the provider ran the tool itself; `output` is then its result. */
      providerExecuted: boolean;
      output?: unknown;
      isError?: boolean;
      /** True when the answer has finished, but the call has not: its arguments are not all there. */
      isIncomplete?: boolean;
      /** Why the call cannot be run, as a sentence for the model. */
      problem?: string;
      startedAt: Date;
      providerMetadata?: ProviderMetadata;
    };

/** Receives an answer while it streams. Its functions are synchronous and must not throw. */
export type StepSink = {
  start: (index: number, part: StepPart) => void;
  /** Appends text, reasoning or arguments to the part at `index`. */
  append: (index: number, delta: string) => void;
  end: (index: number) => void;
};

/** The failure of a model call. */
export type ModelFailure = ChatError & {
  /** The delay that the provider asked for, in milliseconds. */
  retryAfterMs?: number;
  /** The provider answered, but with nothing that can be used; the next call most likely fails the same way. */
  isUnusable?: boolean;
};

/**
 * The outcome of one model call. `aborted` means by the caller's signal. An answer that did not
 * finish has the parts that arrived until then.
 */
export type StepOutcome = (
  | {
      type: "finished";
      parts: StepPart[];
      finishReason: FinishReason;
      usage: MessageUsage;
      responseId: string | null;
    }
  | { type: "aborted"; parts: StepPart[] }
  /** `usage` is known when the provider has finished an answer that cannot be used. */
  | {
      type: "failed";
      parts: StepPart[];
      failure: ModelFailure;
      usage?: MessageUsage;
      /** What the provider says that the model cannot read of the request. */
      refuses?: FileRefusal;
    }
) & {
  /** Names of the tools that the request went without, as the server refuses them. */
  refusedTools?: readonly string[];
};

/** A document can be refused although the model reads others, such as one with too many pages. */
export type FileRefusal = { images: boolean; pdfs: boolean; document: boolean };

export type FinishedStep = Extract<StepOutcome, { type: "finished" }>;

/**
 * Ends a step whose answer arrives too slowly to be of use, with all its tries. Long reasoning takes up to about
 * 20 minutes.
 */
export const MAX_STEP_MS = 30 * 60_000;

/** Limits of one model call, in milliseconds. */
export type StepTimeouts = {
  /** Without anything from the provider until the first part of the answer. */
  firstPartMs: number;
  /** Without anything between two parts of the answer. */
  idleMs: number;
  /** From the request to the end of the answer. */
  totalMs: number;
};

/** Calls a model once, without retries. Never rejects: a failure is an outcome. */
export type CallModel = (
  model: ChatModel,
  request: StepRequest,
  deps: {
    sink: StepSink;
    signal: AbortSignal;
    now: () => Date;
    timeouts?: Partial<StepTimeouts>;
  },
) => Promise<StepOutcome>;
