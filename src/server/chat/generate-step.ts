import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import { calculateRetryDelay, MAX_ATTEMPTS } from "@/lib/retry-delay";
import { ADVISOR_GUIDANCE } from "@/server/advisor/prompts";
import type { ChatRow, PartRow } from "@/server/db/rows";
import type { ChatModel, StepOutcome, StepSink } from "@/server/model/model-step";
import { planPartial } from "./plan-step";
import { createPreviewSink } from "./preview-sink";
import { buildPrompt } from "./prompt/build-prompt";
import { createSystemPrompts } from "./prompt/system-prompts";
import type { Turn, TurnDeps, TurnTools } from "./turn-deps";

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
  /** The signal was aborted; `parts` are those that the last attempt received. */
  | { type: "stopped"; chat: ChatRow; partial: { model: string; parts: PartRow[] } }
  | { type: "failed"; chat: ChatRow; error: ChatError }
  | { type: "lost" };

type Prompt = LanguageModelV4Prompt;

export type FinishedStep = Extract<StepOutcome, { type: "finished" }>;

/** Calls the model for the next step and retries while the failure is retryable. */
export const generateStep = async (
  deps: TurnDeps,
  turn: Turn,
  { toolbox, advisor }: TurnTools,
): Promise<GeneratedStep> => {
  const model = await deps.resolveModel(turn.chat);
  if ("failure" in model) return { type: "failed", chat: turn.chat, error: model.failure };
  if (turn.chat.attempt > MAX_ATTEMPTS) {
    return { type: "failed", chat: turn.chat, error: createCrashError(turn.chat.attempt - 1) };
  }
  const prompt = buildPrompt({
    system: [...createSystemPrompts(turn.chat), advisor ? ADVISOR_GUIDANCE : ""],
    history: turn.history,
    model: model.label,
  });
  const size = measurePrompt(prompt);
  const request = { prompt, tools: toolbox.definitions };
  let { chat } = turn;
  // Attempts that a crash ended count towards the limit but do not lengthen the retry delay.
  for (let failures = 1; ; failures += 1) {
    deps.preview.reset(chat.attempt, chat.historyVersion);
    const preview = createPreviewSink(deps.preview, { toolbox, now: deps.now });
    const sink = createMeteredSink(deps, model, preview);
    deps.meter.recordPrompt(model, size);
    const outcome = await deps.callModel(model, request, {
      sink,
      signal: deps.signal,
      now: deps.now,
    });
    if (outcome.type === "finished") {
      return { type: "finished", chat, model, outcome, prompt, promptBytes: size.bytes };
    }
    if (outcome.type === "aborted") {
      const parts = planPartial(outcome.parts, { toolbox, now: deps.now });
      return { type: "stopped", chat, partial: { model: model.label, parts } };
    }
    const { retryAfterMs, ...error } = outcome.failure;
    if (!error.retryable || chat.attempt >= MAX_ATTEMPTS) return { type: "failed", chat, error };
    deps.meter.recordRetry(model, error.kind);
    const afterRetry = await waitForRetry(deps, chat, {
      attempt: chat.attempt + 1,
      delay_ms: calculateRetryDelay(failures, deps.random(), retryAfterMs),
      kind: error.kind,
      message: error.message,
    });
    if (!afterRetry) return { type: "lost" };
    chat = afterRetry;
    if (deps.signal.aborted) {
      return { type: "stopped", chat, partial: { model: model.label, parts: [] } };
    }
  }
};

/** Measures texts without serializing the whole prompt, which would cost as much as sending it. */
const measurePrompt = (prompt: Prompt) => ({
  messages: prompt.length,
  bytes: prompt.reduce((sum, { content }) => sum + countContentBytes(content), 0),
});

const countContentBytes = (content: Prompt[number]["content"]): number =>
  typeof content === "string"
    ? Buffer.byteLength(content)
    : content.reduce((sum, part) => sum + countPartBytes(part), 0);

const countPartBytes = (part: Exclude<Prompt[number]["content"], string>[number]): number =>
  Buffer.byteLength("text" in part ? part.text : JSON.stringify(part));

/** Wraps a sink to measure the time until the first part of the answer. */
const createMeteredSink = (deps: TurnDeps, model: ChatModel, sink: StepSink): StepSink => {
  const requestedAt = deps.now();
  let hasStarted = false;
  return {
    ...sink,
    start: (index, part) => {
      if (!hasStarted)
        deps.meter.recordFirstPart(model, (deps.now().getTime() - requestedAt.getTime()) / 1_000);
      hasStarted = true;
      sink.start(index, part);
    },
  };
};

/**
 * Records the retry for the countdown, waits, and records the next attempt.
 *
 * @returns undefined when the lease is lost.
 */
const waitForRetry = async (
  deps: TurnDeps,
  chat: ChatRow,
  retry: Omit<ChatRetry, "retrying_at">,
): Promise<ChatRow | undefined> => {
  const waitingChat = await deps.store.recordRetry(chat, retry);
  if (!waitingChat) return undefined;
  deps.preview.reset(retry.attempt, chat.historyVersion);
  await deps.wait(retry.delay_ms, deps.signal);
  return deps.signal.aborted ? waitingChat : deps.store.recordAttempt(waitingChat);
};

/** Creates the error of a chat whose attempts ended with crashes of the server. */
const createCrashError = (attempts: number): ChatError => ({
  kind: "generic",
  message: `The server stopped ${attempts} times while it answered this message.`,
  retryable: true,
});
