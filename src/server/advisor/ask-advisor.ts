import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AdvisorPhase, AdvisorResult } from "@/contract/advisor";
import { retryDelay } from "@/lib/retry-delay";
import type { CallModel, StepOutcome, StepSink } from "@/server/model/model-step";
import {
  adviceOf,
  adviceResult,
  type AdvisorSpend,
  failedResult,
  limitResult,
  noTextResult,
  spendOf,
} from "./advisor-outcome";
import type { AdvisorRuntime } from "./advisor-runtime";
import { buildHandoff, type Handoff } from "./handoff";
import { nestedOptions } from "./nested-options";
import type { Quota } from "./quota";

/** Calls for one question, the first one included: an agent waits for the answer. */
export const MAX_ADVISOR_ATTEMPTS = 3;
/** A provider that asks for a longer wait is not waited for. */
const LONGEST_WAIT_MS = 30_000;

/** How the live text reaches whoever watches. */
export type AdvisorEmit = (
  progress: { type: "append"; phase: AdvisorPhase; text: string } | { type: "reset" },
) => void;

export type AdvisorSeams = {
  quota: Quota;
  callModel: CallModel;
  signal: AbortSignal;
  emit: AdvisorEmit;
  now: () => Date;
  /** 0 to 1. */
  chance: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Asked = {
  result: AdvisorResult;
  /** What it cost; undefined when no model has answered. */
  spend?: AdvisorSpend;
};

export type AdvisorQuestion = Omit<Handoff, "foreign"> & {
  /** "provider/model" that the prompt was prepared for. */
  promptModel: string;
};

/**
 * Asks the advisor one question: a single step of its model that is given no tools, and that
 * writes nothing. A use counts only when it brings advice.
 *
 * @throws the signal's reason when the turn is stopped; everything else is an outcome.
 */
export const askAdvisor = async (
  advisor: AdvisorRuntime,
  question: AdvisorQuestion,
  seams: AdvisorSeams,
): Promise<Asked> => {
  const { quota } = seams;
  const { model } = advisor;
  // Before anything is awaited, so that of two calls with one use left only one goes on.
  if (!quota.take()) return { result: limitResult() };
  const answer = await answerTo(advisor, question, seams).catch((error: unknown) => {
    quota.giveBack();
    throw error;
  });
  if (answer.type === "failed") {
    quota.giveBack();
    return { result: failedResult(model, answer.failure.message, quota.remaining()) };
  }
  const spend = spendOf(model, answer);
  if (adviceOf(answer) === "") {
    quota.giveBack();
    return { result: noTextResult(model, answer, quota.remaining()), spend };
  }
  return { result: adviceResult(model, answer, quota.remaining()), spend };
};

type Answer = Exclude<StepOutcome, { type: "aborted" }>;

/** Calls the model, again while the failure is one that passes soon. */
const answerTo = async (
  advisor: AdvisorRuntime,
  { promptModel, ...handoff }: AdvisorQuestion,
  seams: AdvisorSeams,
): Promise<Answer> => {
  const { signal, emit } = seams;
  signal.throwIfAborted();
  emit({ type: "append", phase: "preparing", text: "" });
  const prompt = buildHandoff({ ...handoff, foreign: promptModel !== advisor.model.label });
  for (let attempt = 1; ; attempt++) {
    emit({ type: "append", phase: "thinking", text: "" });
    const outcome = await callOnce(advisor, prompt, seams);
    signal.throwIfAborted();
    if (outcome.type === "aborted") throw new Error("the advisor's call was aborted");
    if (outcome.type === "finished") return outcome;
    const { retryable, retryAfterMs } = outcome.failure;
    const delay = retryDelay(attempt, seams.chance(), retryAfterMs);
    if (!retryable || attempt === MAX_ADVISOR_ATTEMPTS || delay > LONGEST_WAIT_MS) return outcome;
    emit({ type: "reset" });
    await seams.wait(delay, signal);
    signal.throwIfAborted();
  }
};

/** There is no way to hand tools in: the call is made with none. */
const callOnce = (
  { model, maxOutputTokens }: AdvisorRuntime,
  prompt: LanguageModelV4Prompt,
  { callModel, signal, emit, now }: AdvisorSeams,
): Promise<StepOutcome> =>
  callModel(
    { ...model, providerOptions: nestedOptions(model.provider, model.providerOptions) },
    { prompt, tools: [], maxOutputTokens },
    { sink: answerSink(emit), signal, now },
  );

/** Shows the answer's text as it is made; that the model reasons shows as the phase alone. */
const answerSink = (emit: AdvisorEmit): StepSink => {
  const texts = new Set<number>();
  let said = false;
  return {
    start: (index, part) => {
      if (part.type !== "text") return;
      texts.add(index);
      if (said) emit({ type: "append", phase: "answering", text: "\n\n" });
    },
    append: (index, text) => {
      if (!texts.has(index)) return;
      said = true;
      emit({ type: "append", phase: "answering", text });
    },
    end: () => undefined,
  };
};
