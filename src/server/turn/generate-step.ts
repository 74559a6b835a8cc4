import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatError } from "@/contract/chat-error";
import { MAX_WARNINGS } from "@/contract/limits";
import type { MessageUsage } from "@/contract/usage";
import { MAX_ATTEMPTS } from "@/lib/retry-delay";
import { toTokens } from "@/lib/tokens";
import { findExceededCost } from "@/server/agents/agent-cost";
import type { ChatRow, MeasuredAnswer, ModelUse, PartialAnswer } from "@/server/db/chats/rows";
import { toModelHistory } from "@/server/machine/model-history";
import { toFence } from "@/server/db/sql/machine/fence";
import { addWarnings } from "@/server/db/sql/machine/turn-warnings";
import { type NextRetry, recordAttempt, recordRetry } from "@/server/db/sql/machine/turn-retries";
import { calculateCostMicros } from "@/server/model/catalog/model-usage";
import {
  type ChatModel,
  type FinishedStep,
  MAX_STEP_MS,
  type StepOutcome,
} from "@/server/model/model-step";
import { estimateTokens } from "./compaction/estimate-tokens";
import { canShorten, type DueCompaction, findDue } from "./compaction/find-due";
import { planPartial } from "./plan-step";
import { createPreviewSink } from "./preview-sink";
import { measurePrompt } from "./prompt/measure-prompt";
import { createStepPrompt } from "./prompt/step-prompt";
import { chooseStepTools } from "./step-tools";
import { createStepFailures, type StepFailures } from "./step-failures";
import { storeImages } from "./store-images";
import type { Turn, TurnDeps, TurnTools } from "./turn-deps";
import { findFormat, findTurnParameters, toCallParameters } from "./turn-parameters";
import { yieldWhileIdle } from "./yield-while-idle";

/** The turn does not wait longer: the chat is deferred, so that its slot is free for others. */
export const MAX_HELD_WAIT_MS = 10_000;

/** The outcome of generating one step, including its retries. */
export type GeneratedStep =
  | {
      type: "finished";
      chat: ChatRow;
      model: ChatModel;
      outcome: FinishedStep;
      prompt: Prompt;
      promptBytes: number;
    }
  /** The signal was aborted. */
  | { type: "stopped"; chat: ChatRow; partial: PartialAnswer }
  /** `partial` is the longest of all tries. */
  | { type: "failed"; chat: ChatRow; error: ChatError; partial?: PartialAnswer }
  /** The next try is due later than a turn waits. */
  | { type: "deferred"; chat: ChatRow; retry: NextRetry }
  /** What came before has to be summed up first. */
  | { type: "full"; chat: ChatRow; model: ChatModel; due: DueCompaction }
  | { type: "lost" };

type Prompt = LanguageModelV4Prompt;

/** Calls the model for the next step and retries while the failure is retryable. */
export const generateStep = async (
  deps: TurnDeps,
  turn: Turn,
  tools: TurnTools,
): Promise<GeneratedStep> => {
  const { chat } = turn;
  const model = await resolveStepModel(deps, chat);
  if ("failure" in model) return { type: "failed", chat, error: model.failure };
  const step = await createStep(deps, turn, { model, tools });
  const planned = { ...step.request, model, bytes: step.size.bytes };
  const due = findDue(turn, planned);
  if (due?.reason === "too_large") return { type: "failed", chat, error: createSizeError(model) };
  if (due) return { type: "full", chat, model, due };
  const generated = await callWithRetries(deps, turn, step);
  const isTooLong = generated.type === "failed" && generated.error.kind === "context_overflow";
  if (!isTooLong || !canShorten(turn, model)) return generated;
  const tokens = estimateTokens({ history: turn.history, ...planned });
  return { type: "full", chat: generated.chat, model, due: { reason: "overflow", tokens } };
};

const callWithRetries = async (
  deps: TurnDeps,
  turn: Turn,
  step: Step,
): Promise<Exclude<GeneratedStep, { type: "full" }>> => {
  let { chat } = turn;
  const { model, toolbox } = step;
  let failures: StepFailures | undefined;
  const measureAnswer = (outcome: StepOutcome): MeasuredAnswer => ({
    characters: countCharacters(outcome),
    answer: {
      model: model.label,
      parts: planPartial(outcome.parts, { toolbox, now: deps.now }),
      ...("usage" in outcome && { use: toUse(deps, model, outcome.usage) }),
    },
  });
  /** Providers report usage at the end of an answer, which a stopped one does not reach. */
  const planStopped = ({ characters, answer }: MeasuredAnswer): PartialAnswer => ({
    use: toUse(deps, model, {
      ...estimateUsage(step.size.bytes, characters),
      ...step.omitted,
    }),
    ...answer,
  });
  for (;;) {
    const answer = await storeImages(deps, chat, await callOnce(deps, chat, step));
    const outcome = withOmittedFiles(answer, step);
    const { refusedTools } = outcome;
    const refusals = (refusedTools ?? []).map((name) => describeRefusal(name, model));
    chat = await addNewWarnings(deps, chat, [...step.warnings, ...refusals]);
    if (outcome.type === "finished") {
      const { request, size } = step;
      const { prompt } = request;
      return { type: "finished", chat, model, outcome, prompt, promptBytes: size.bytes };
    }
    const measured = measureAnswer(outcome);
    if (outcome.type === "aborted") {
      return { type: "stopped", chat, partial: planStopped(measured) };
    }
    failures ??= createStepFailures(turn, { ...step, now: deps.now });
    const { error, retry, longest } = failures.add(outcome.failure, measured, {
      attempt: chat.attempt,
      random: deps.random(),
    });
    if (!retry) return { type: "failed", chat, error, partial: longest.answer };
    deps.meter.record("retries", { ...model, kind: error.kind });
    if (retry.delay_ms > MAX_HELD_WAIT_MS) return { type: "deferred", chat, retry };
    const afterRetry = await waitForRetry(deps, chat, retry);
    if (!afterRetry) return { type: "lost" };
    chat = afterRetry;
    if (deps.signal.aborted) return { type: "stopped", chat, partial: planStopped(longest) };
    if (deps.stopping.aborted) return { type: "deferred", chat, retry };
  }
};

/** Resolves the model of a step, unless all agents of the root chat have cost what they may, or crashes have ended all tries. */
export const resolveStepModel = async (
  { db, agentLimits: { costMicros }, resolveModel }: TurnDeps,
  chat: ChatRow,
): Promise<ChatModel | { failure: ChatError }> => {
  const { parentChatId: rootChatId, attempt } = chat;
  const problem =
    rootChatId === null ? undefined : await findExceededCost(db, { rootChatId, costMicros });
  if (problem !== undefined) {
    const message = `It reached a limit: ${problem}.`;
    return { failure: { kind: "quota", message, retryable: false } };
  }
  const model = await resolveModel(chat);
  if ("failure" in model || attempt <= MAX_ATTEMPTS) return model;
  return { failure: createCrashError(attempt - 1) };
};

type Step = Awaited<ReturnType<typeof createStep>>;

/** Creates what all calls of a step have in common. */
const createStep = async (
  deps: TurnDeps,
  { chat, history, lastRetry }: Turn,
  { model, tools }: { model: ChatModel; tools: TurnTools },
) => {
  /** When the step would have begun if its chat had never been deferred, in milliseconds. */
  const startedAt = deps.now().getTime() - (lastRetry?.spent_ms ?? 0);
  const { toolbox } = tools;
  const parameters = findTurnParameters(chat, history);
  const { warnings, limitWarning, ...offered } = chooseStepTools(
    model,
    toolbox,
    parameters.provider_tools,
  );
  if (limitWarning !== undefined) {
    deps.log.warn({ chatId: chat.id, model: model.label }, limitWarning);
  }
  const { prompt, omittedFiles, withoutPdfs } = await createStepPrompt(
    deps,
    { chat, history },
    { model, tools, providerTools: offered.providerTools },
  );
  // After tool results a model may have nothing to add; a question without an answer is a failure.
  const mustAnswer = toModelHistory(history).at(-1)?.role === "user";
  return {
    model,
    toolbox,
    warnings,
    request: {
      prompt,
      ...offered,
      mustAnswer,
      chatId: chat.id,
      withoutPdfs,
      ...toCallParameters(parameters),
      responseFormat: findFormat(chat.turnId, history),
    },
    size: measurePrompt(prompt),
    /** To be stored with the usage of the answer. */
    omitted: omittedFiles && { omitted_files: omittedFiles },
    startedAt,
  };
};

const callOnce = (
  deps: TurnDeps,
  chat: ChatRow,
  { model, toolbox, request, size, startedAt }: Step,
): Promise<StepOutcome> => {
  deps.preview.reset(chat.attempt, chat.historyVersion);
  deps.meter.record("promptMessages", model, size.messages);
  deps.meter.record("promptBytes", model, size.bytes);
  const requestedAt = deps.now().getTime();
  const onFirstPart = (): void =>
    deps.meter.record("firstPartSeconds", model, (deps.now().getTime() - requestedAt) / 1_000);
  return yieldWhileIdle(deps.slot, (onActivity) =>
    deps.callModel(model, request, {
      sink: createPreviewSink(deps, { toolbox, onFirstPart, onActivity }),
      signal: deps.signal,
      now: deps.now,
      timeouts: { totalMs: Math.max(startedAt + MAX_STEP_MS - deps.now().getTime(), 0) },
    }),
  );
};

/** The page tells which images and PDFs of the chat are no longer sent. */
const withOmittedFiles = (outcome: StepOutcome, { omitted }: Step): StepOutcome =>
  omitted && "usage" in outcome && outcome.usage
    ? { ...outcome, usage: { ...outcome.usage, ...omitted } }
    : outcome;

const describeRefusal = (name: string, { label }: ChatModel): string =>
  `The tool "${name}" is not offered: the server of ${label} refuses its definition.`;

/** Tells people which tools the model is not offered, each once. */
const addNewWarnings = async (
  deps: TurnDeps,
  chat: ChatRow,
  found: readonly string[],
): Promise<ChatRow> => {
  const warnings = found
    .filter((warning) => !chat.warnings.includes(warning))
    .slice(0, Math.max(MAX_WARNINGS - chat.warnings.length, 0));
  if (warnings.length === 0) return chat;
  const warned = await addWarnings(deps.db, toFence(chat), warnings);
  if (!warned) return chat;
  deps.recent.add({ chat: warned, messages: [] });
  return warned;
};

/** How much of an answer has arrived. */
const countCharacters = ({ parts }: StepOutcome): number =>
  parts.reduce((sum, part) => {
    if (part.type === "source") return sum;
    return sum + (part.type === "tool_call" ? part.toolName + part.input : part.text).length;
  }, 0);

/** Estimates the tokens of a model call from the sizes of its prompt and of what has arrived. */
export const estimateUsage = (promptBytes: number, characters: number): MessageUsage => ({
  input_tokens: toTokens(promptBytes),
  output_tokens: toTokens(characters),
  estimated: true,
});

/** Creates the record of what a model call costs. */
export const toUse = (deps: TurnDeps, model: ChatModel, usage: MessageUsage): ModelUse => ({
  id: deps.newId(),
  model: model.label,
  usage,
  costMicros: calculateCostMicros(usage, model.prices),
});

/**
 * Records the retry for the countdown, waits, and records the next attempt.
 *
 * @returns undefined when the lease is lost.
 */
export const waitForRetry = async (
  deps: TurnDeps,
  chat: ChatRow,
  retry: NextRetry,
): Promise<ChatRow | undefined> => {
  const waitingChat = await recordRetry(deps.db, toFence(chat), retry);
  if (!waitingChat) return undefined;
  deps.recent.add({ chat: waitingChat, messages: [] });
  deps.preview.reset(retry.attempt, chat.historyVersion);
  await deps.wait(retry.delay_ms, deps.signal);
  if (deps.signal.aborted || deps.stopping.aborted) return waitingChat;
  const nextChat = await recordAttempt(deps.db, toFence(waitingChat));
  if (nextChat) deps.recent.add({ chat: nextChat, messages: [] });
  return nextChat;
};

/** Creates the error of a chat that is larger than the model's context although it has just been summed up. */
const createSizeError = ({ label, contextLimit }: ChatModel): ChatError => ({
  kind: "config",
  message: `Even summed up, this chat is longer than the ${contextLimit} tokens that ${label} can read. Choose a model with a larger context, fewer tools, or shorter instructions.`,
  retryable: false,
});

/** Creates the error of a chat whose attempts ended with crashes of the server. */
const createCrashError = (attempts: number): ChatError => ({
  kind: "generic",
  message: `The server stopped ${attempts} times while it answered this message.`,
  retryable: true,
});
