import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ErrorKind } from "@/contract/chat-error";
import { PROVIDERS } from "@/contract/providers";
import type { FinishReason } from "@/contract/message";
import type { ProviderName } from "@/contract/model";
import { classifyFailure, ModelCallError, readFileRefusal } from "./classify-failure";
import type { StepOutcome, StepPart } from "./model-step";
import { toMessageUsage } from "./catalog/model-usage";

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** State of a stream besides the parts of its answer. */
export type StreamProgress = {
  /** True after the first part that comes from the provider. */
  hasStarted: boolean;
  finish: Finish | undefined;
  responseId: string | null;
};

type CallInfo = {
  assembler: { parts: StepPart[]; endAll: () => void };
  provider: ProviderName;
  now: () => Date;
  mustAnswer: boolean;
};

/**
 * Converts an ended stream to the outcome of its call.
 *
 * @param error what the stream failed with; undefined when it ended normally.
 */
export const toStepOutcome = (
  progress: StreamProgress,
  error: unknown,
  call: CallInfo,
): StepOutcome => {
  const { assembler, provider, now } = call;
  const { parts } = assembler;
  const { finish, responseId } = progress;
  const usage = finish && toMessageUsage(finish.usage);
  const cause = finish
    ? (findFinishError(finish, parts, provider) ?? findAnswerError(finish, parts, call))
    : (error ?? createTruncatedError(provider));
  if (cause !== undefined || !finish || !usage) {
    const failure = classifyFailure(cause, provider, now());
    const refuses = readFileRefusal(cause);
    return { type: "failed", parts, failure, refuses, ...(usage && { usage }) };
  }
  assembler.endAll();
  const finishReason = toFinishReason(finish, parts);
  return { type: "finished", parts, finishReason, usage, responseId };
};

/** Some providers report "stop" or an unknown reason although the answer has tool calls. */
const toFinishReason = ({ finishReason }: Finish, parts: StepPart[]): FinishReason => {
  const reason = finishReason.unified;
  const hasCalls = parts.some((part) => part.type === "tool_call" && !part.providerExecuted);
  return hasCalls && (reason === "stop" || reason === "other") ? "tool-calls" : reason;
};

/**
 * Creates the error of a provider that sent nothing for longer than its timeout. It may still be at it, so another try would
 * double its work.
 */
export const createIdleError = (
  { hasStarted }: StreamProgress,
  provider: ProviderName,
): ModelCallError => {
  const { title } = PROVIDERS[provider];
  return hasStarted
    ? new ModelCallError("stalled", `${title} is silent: the answer stopped on the way.`)
    : new ModelCallError("timeout", `${title} is taking too long to answer.`);
};

/** Creates the error of an answer that goes on after its deadline; another try would take as long. */
export const createDeadlineError = (provider: ProviderName): ModelCallError =>
  new ModelCallError(
    "timeout",
    `${PROVIDERS[provider].title} is taking too long to finish its answer: it was ended here.`,
  );

/** Finds the reason why a stream with a `finish` part has failed nevertheless. */
const findFinishError = (
  { finishReason, providerMetadata }: Finish,
  parts: StepPart[],
  provider: ProviderName,
): ModelCallError | undefined => {
  const reason = finishReason.unified;
  // Google reports a blocked prompt only in its metadata, with an empty answer.
  const feedback = providerMetadata?.google?.promptFeedback;
  const isBlocked = feedback !== undefined && hasBlockReason(feedback);
  if (isBlocked || (reason === "content-filter" && parts.length === 0)) {
    const message = `${PROVIDERS[provider].title} is withholding an answer because of its content rules.`;
    return new ModelCallError("content_filter", message);
  }
  const failure = providerMetadata?.parley?.failure;
  if (typeof failure === "string") return new ModelCallError("generic", failure);
  if (reason === "interrupted") return createTruncatedError(provider);
  if (reason === "error")
    return createRetryableError("generic", provider, "having a problem on its side.");
  return undefined;
};

/** Finds the reason why an answer that is complete cannot be used. */
const findAnswerError = (
  { finishReason }: Finish,
  parts: readonly StepPart[],
  { provider, mustAnswer }: Pick<CallInfo, "provider" | "mustAnswer">,
): ModelCallError | undefined => {
  const calls = parts.filter((part) => part.type === "tool_call");
  // SDKs may drop a call without a name, so that none is left.
  const hasLostCall = finishReason.unified === "tool-calls" && calls.length === 0;
  if (hasLostCall || calls.some(({ toolName }) => toolName.trim() === ""))
    return createUnusableError("generic", provider, "calling a tool without a name.");
  const hasText = parts.some(
    (part) => part.type === "text" && (part.text.trim() !== "" || part.image !== undefined),
  );
  return mustAnswer && !hasText && calls.length === 0
    ? createUnusableError("generic", provider, "sending an empty answer.")
    : undefined;
};

const createTruncatedError = (provider: ProviderName): ModelCallError =>
  createUnusableError("timeout", provider, "not finishing its answer: the connection ended early.");

const createUnusableError = (
  kind: ErrorKind,
  provider: ProviderName,
  predicate: string,
): ModelCallError =>
  new ModelCallError(kind, `${PROVIDERS[provider].title} is ${predicate}`, {
    retryable: true,
    isUnusable: true,
  });

const createRetryableError = (
  kind: ErrorKind,
  provider: ProviderName,
  predicate: string,
): ModelCallError =>
  new ModelCallError(kind, `${PROVIDERS[provider].title} is ${predicate}`, { retryable: true });

const hasBlockReason = (feedback: unknown): boolean =>
  typeof feedback === "object" &&
  feedback !== null &&
  "blockReason" in feedback &&
  typeof feedback.blockReason === "string" &&
  feedback.blockReason !== "BLOCK_REASON_UNSPECIFIED";
