import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AdvisorPhase, AdvisorResult } from "@/contract/advisor";
import { calculateRetryDelay } from "@/lib/retry-delay";
import type { CallModel, StepOutcome, StepSink } from "@/server/model/model-step";
import {
  extractAdvice,
  createAdviceResult,
  type AdvisorSpend,
  createErrorResult,
  createLimitResult,
  createEmptyResult,
  calculateSpend,
} from "./advisor-outcome";
import type { AdvisorRuntime } from "./advisor-runtime";
import { buildHandoff, type Handoff } from "./handoff";
import { isolateOptions } from "./isolate-options";
import type { Quota } from "./quota";

/** Model calls per question, including the first; few, because the agent waits meanwhile. */
export const MAX_ADVISOR_ATTEMPTS = 3;
/** The call fails when the provider asks for a longer delay before the next attempt. */
const MAX_WAIT_MS = 30_000;

/** Publishes the progress and the partial text of the answer. */
export type AdvisorEmit = (
  progress: { type: "append"; phase: AdvisorPhase; text: string } | { type: "reset" },
) => void;

export type AskAdvisorDeps = {
  quota: Quota;
  callModel: CallModel;
  signal: AbortSignal;
  emit: AdvisorEmit;
  now: () => Date;
  /** Returns a number from 0 to 1, as Math.random does. */
  random: () => number;
  /** Resolves after `ms` milliseconds, or immediately when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type AdvisorOutcome = {
  result: AdvisorResult;
  /** Undefined when no model call finished. */
  spend?: AdvisorSpend;
};

/**
 * Asks the advisor one question with a single model call without tools. Writes nothing to the
 * database. Only advice counts as a use; any other outcome releases it.
 *
 * @throws the signal's reason when the turn is stopped.
 */
export const askAdvisor = async (
  advisor: AdvisorRuntime,
  handoff: Handoff,
  deps: AskAdvisorDeps,
): Promise<AdvisorOutcome> => {
  const { quota } = deps;
  const { model } = advisor;
  // Reserved before the first await, so that concurrent calls cannot share the last use.
  if (!quota.reserve()) return { result: createLimitResult() };
  const answer = await callWithRetries(advisor, handoff, deps).catch((error: unknown) => {
    quota.release();
    throw error;
  });
  if (answer.type === "failed") {
    quota.release();
    return { result: createErrorResult(model, answer.failure.message, quota.remaining()) };
  }
  const spend = calculateSpend(model, answer);
  if (extractAdvice(answer) === "") {
    quota.release();
    return { result: createEmptyResult(model, answer, quota.remaining()), spend };
  }
  return { result: createAdviceResult(model, answer, quota.remaining()), spend };
};

type Answer = Exclude<StepOutcome, { type: "aborted" }>;

/** Calls the model and retries while its failure is retryable. */
const callWithRetries = async (
  advisor: AdvisorRuntime,
  handoff: Handoff,
  deps: AskAdvisorDeps,
): Promise<Answer> => {
  const { signal, emit } = deps;
  signal.throwIfAborted();
  emit({ type: "append", phase: "preparing", text: "" });
  const prompt = buildHandoff(handoff);
  for (let attempt = 1; ; attempt++) {
    emit({ type: "append", phase: "thinking", text: "" });
    const outcome = await callAdvisorModel(advisor, prompt, deps);
    signal.throwIfAborted();
    if (outcome.type === "aborted") throw new Error("the advisor's call was aborted");
    if (outcome.type === "finished") return outcome;
    const { retryable, retryAfterMs } = outcome.failure;
    const delay = calculateRetryDelay(attempt, deps.random(), retryAfterMs);
    if (!retryable || attempt === MAX_ADVISOR_ATTEMPTS || delay > MAX_WAIT_MS) return outcome;
    emit({ type: "reset" });
    await deps.wait(delay, signal);
    signal.throwIfAborted();
  }
};

const callAdvisorModel = (
  { model, maxOutputTokens }: AdvisorRuntime,
  prompt: LanguageModelV4Prompt,
  { callModel, signal, emit, now }: AskAdvisorDeps,
): Promise<StepOutcome> =>
  callModel(
    { ...model, providerOptions: isolateOptions(model.provider, model.providerOptions) },
    { prompt, tools: [], maxOutputTokens },
    { sink: createAnswerSink(emit), signal, now },
  );

/** Emits the text of an answer; reasoning shows only as the phase `thinking`. */
const createAnswerSink = (emit: AdvisorEmit): StepSink => {
  const textIndexes = new Set<number>();
  let hasText = false;
  return {
    start: (index, part) => {
      if (part.type !== "text") return;
      textIndexes.add(index);
      if (hasText) emit({ type: "append", phase: "answering", text: "\n\n" });
    },
    append: (index, text) => {
      if (!textIndexes.has(index)) return;
      hasText = true;
      emit({ type: "append", phase: "answering", text });
    },
    end: () => undefined,
  };
};
