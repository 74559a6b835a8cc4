import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { FinishReason } from "@/contract/message";
import type { ProviderName } from "@/contract/model";
import { classifyFailure } from "./classify-failure";
import { ModelCallError } from "./model-call-error";
import type { StepOutcome, StepPart } from "./model-step";
import { PROVIDER_TITLE } from "./provider-title";
import { toMessageUsage } from "./to-message-usage";

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** What a call has heard besides the answer's parts. */
export type Heard = {
  /** Any sign of an answer. */
  begun: boolean;
  finish: Finish | undefined;
  responseId: string | null;
};

type Call = {
  answer: { parts: StepPart[]; endAll: () => void };
  provider: ProviderName;
  now: () => Date;
};

/** How a call ended whose stream is over. `error` is what the stream failed with, if it did. */
export const stepOutcome = (heard: Heard, error: unknown, call: Call): StepOutcome => {
  const { answer, provider, now } = call;
  const { finish, responseId } = heard;
  const cause = finish
    ? finishError(finish, answer.parts, provider)
    : (error ?? truncatedError(provider));
  if (cause !== undefined || finish === undefined) {
    const failure = classifyFailure(cause, provider, now());
    return { type: "failed", parts: answer.parts, failure };
  }
  answer.endAll();
  const finishReason = finishReasonOf(finish, answer.parts);
  const usage = toMessageUsage(finish.usage);
  return { type: "finished", parts: answer.parts, finishReason, usage, responseId };
};

/** Some providers name a stop, or nothing we know, where they have called tools. */
const finishReasonOf = ({ finishReason }: Finish, parts: StepPart[]): FinishReason => {
  const reason = finishReason.unified;
  const calls = parts.some((part) => part.type === "tool_call" && !part.providerExecuted);
  return calls && (reason === "stop" || reason === "other") ? "tool-calls" : reason;
};

/** A provider that said nothing for longer than it may. */
export const silenceError = ({ begun }: Heard, provider: ProviderName): ModelCallError =>
  begun
    ? failing("stalled", provider, "silent: the answer stopped on the way.")
    : failing("timeout", provider, "taking too long to answer.");

/** Why an answer that has its `finish` part is none all the same. */
const finishError = (
  { finishReason, providerMetadata }: Finish,
  parts: StepPart[],
  provider: ProviderName,
): ModelCallError | undefined => {
  const reason = finishReason.unified;
  // Google names the reason of a refused prompt here, and sends no answer to finish.
  const blocked = hasBlockReason(providerMetadata?.google?.promptFeedback);
  if (blocked || (reason === "content-filter" && parts.length === 0)) {
    const words = `${PROVIDER_TITLE[provider]} is withholding an answer because of its content rules.`;
    return new ModelCallError("content_filter", words);
  }
  if (reason === "interrupted") return truncatedError(provider);
  if (reason === "error") return failing("generic", provider, "having a problem on its side.");
  return undefined;
};

const truncatedError = (provider: ProviderName): ModelCallError =>
  failing("timeout", provider, "not finishing its answer: the connection ended early.");

const failing = (
  kind: ModelCallError["kind"],
  provider: ProviderName,
  says: string,
): ModelCallError => new ModelCallError(kind, `${PROVIDER_TITLE[provider]} is ${says}`, true);

const hasBlockReason = (feedback: unknown): boolean =>
  typeof feedback === "object" &&
  feedback !== null &&
  "blockReason" in feedback &&
  typeof feedback.blockReason === "string" &&
  feedback.blockReason !== "BLOCK_REASON_UNSPECIFIED";
