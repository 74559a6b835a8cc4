import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import { MAX_ATTEMPTS, retryDelay } from "@/lib/retry-delay";
import { ADVISOR_GUIDANCE } from "@/server/advisor/prompts";
import type { ChatRow, PartRow } from "@/server/db/rows";
import type { ChatModel, StepOutcome, StepSink } from "@/server/model/model-step";
import { planPartial } from "./plan-step";
import { previewSink } from "./preview-sink";
import { buildPrompt } from "./prompt/build-prompt";
import { systemPrompts } from "./prompt/system-prompts";
import type { Turn, TurnPorts, TurnTools } from "./turn-ports";

/** How the making of one step ended, tries included. */
export type Generated =
  | {
      type: "finished";
      chat: ChatRow;
      model: ChatModel;
      outcome: FinishedStep;
      prompt: Prompt;
      promptBytes: number;
    }
  /** The signal was aborted; the parts are what had arrived of the last try. */
  | { type: "stopped"; chat: ChatRow; partial: { model: string; parts: PartRow[] } }
  | { type: "failed"; chat: ChatRow; error: ChatError }
  | { type: "lost" };

type Prompt = LanguageModelV4Prompt;

export type FinishedStep = Extract<StepOutcome, { type: "finished" }>;

/** Asks the model for the next step, again while the failure is one that passes. */
export const generateStep = async (
  ports: TurnPorts,
  turn: Turn,
  { toolbox, advisor }: TurnTools,
): Promise<Generated> => {
  const model = await ports.resolveModel(turn.chat);
  if ("failure" in model) return { type: "failed", chat: turn.chat, error: model.failure };
  if (turn.chat.attempt > MAX_ATTEMPTS) {
    return { type: "failed", chat: turn.chat, error: givenUp(turn.chat.attempt - 1) };
  }
  const prompt = buildPrompt({
    system: [...systemPrompts(turn.chat), advisor ? ADVISOR_GUIDANCE : ""],
    history: turn.history,
    model: model.label,
  });
  const size = promptSize(prompt);
  const request = { prompt, tools: toolbox.definitions };
  let { chat } = turn;
  // Tries that a crash has cut count towards the last, but say nothing of the provider's health.
  for (let failures = 1; ; failures += 1) {
    ports.preview.reset(chat.attempt, chat.historyVersion);
    const preview = previewSink(ports.preview, { toolbox, now: ports.now });
    const sink = meteredSink(ports, model, preview);
    ports.meter.promptSent(model, size);
    const outcome = await ports.callModel(model, request, {
      sink,
      signal: ports.signal,
      now: ports.now,
    });
    if (outcome.type === "finished") {
      return { type: "finished", chat, model, outcome, prompt, promptBytes: size.bytes };
    }
    if (outcome.type === "aborted") {
      const parts = planPartial(outcome.parts, { toolbox, now: ports.now });
      return { type: "stopped", chat, partial: { model: model.label, parts } };
    }
    const { retryAfterMs, ...error } = outcome.failure;
    if (!error.retryable || chat.attempt >= MAX_ATTEMPTS) return { type: "failed", chat, error };
    ports.meter.retried(model, error.kind);
    const retried = await waitForRetry(ports, chat, {
      attempt: chat.attempt + 1,
      delay_ms: retryDelay(failures, ports.random(), retryAfterMs),
      kind: error.kind,
      message: error.message,
    });
    if (!retried) return { type: "lost" };
    chat = retried;
    if (ports.signal.aborted) {
      return { type: "stopped", chat, partial: { model: model.label, parts: [] } };
    }
  }
};

/** Writing it all as JSON once more, only to count that too, would cost as much as sending it. */
const promptSize = (prompt: Prompt) => ({
  messages: prompt.length,
  bytes: prompt.reduce((sum, { content }) => sum + contentBytes(content), 0),
});

const contentBytes = (content: Prompt[number]["content"]): number =>
  typeof content === "string"
    ? Buffer.byteLength(content)
    : content.reduce((sum, part) => sum + partBytes(part), 0);

const partBytes = (part: Exclude<Prompt[number]["content"], string>[number]): number =>
  Buffer.byteLength("text" in part ? part.text : JSON.stringify(part));

/** Also tells how long the first sign of an answer took. */
const meteredSink = (ports: TurnPorts, model: ChatModel, sink: StepSink): StepSink => {
  const asked = ports.now();
  let begun = false;
  return {
    ...sink,
    start: (index, part) => {
      if (!begun) ports.meter.firstPart(model, (ports.now().getTime() - asked.getTime()) / 1_000);
      begun = true;
      sink.start(index, part);
    },
  };
};

/** Shows the countdown, waits, and counts the next try. @returns undefined when the lease is lost. */
const waitForRetry = async (
  ports: TurnPorts,
  chat: ChatRow,
  retry: Omit<ChatRetry, "retrying_at">,
): Promise<ChatRow | undefined> => {
  const waiting = await ports.store.recordRetry(chat, retry);
  if (!waiting) return undefined;
  ports.preview.reset(retry.attempt, chat.historyVersion);
  await ports.wait(retry.delay_ms, ports.signal);
  return ports.signal.aborted ? waiting : ports.store.recordAttempt(waiting);
};

/** A chat that takes its server down each time must not do so for ever. */
const givenUp = (times: number): ChatError => ({
  kind: "generic",
  message: `The server stopped ${times} times while it answered this message.`,
  retryable: true,
});
