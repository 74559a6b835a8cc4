import type { ChatError } from "@/contract/chat-error";
import { cutText } from "@/lib/cut-text";
import { isolateOptions } from "@/server/advisor/isolate-options";
import type { ChatRow, ModelUse } from "@/server/db/chats/rows";
import type { NextRetry } from "@/server/db/sql/machine/turn-retries";
import { type ChatModel, MAX_STEP_MS, type StepOutcome } from "@/server/model/model-step";
import { estimateUsage, MAX_HELD_WAIT_MS, toUse, waitForRetry } from "@/server/turn/generate-step";
import { measurePrompt } from "@/server/turn/prompt/measure-prompt";
import { createStepFailures } from "@/server/turn/step-failures";
import type { Turn, TurnDeps } from "@/server/turn/turn-deps";
import { yieldWhileIdle } from "@/server/turn/yield-while-idle";
import { createSummaryPrompt, type SummaryRequest } from "./summary-prompt";
import { joinLines } from "./write-transcript";

/** A piece that is refused as too long is sent in halves, down to this size in bytes. */
const MIN_PIECE_BYTES = 4 * 1024;

type SummaryInput = {
  model: ChatModel;
  /** The text that the summary continues and replaces; "" for none. */
  previous: string;
  /** What is summed up: see `writeTranscript`. */
  lines: readonly string[];
  instructions: string;
  /** Of the lines in one call. */
  maxPieceBytes: number;
  /** Of the summary. */
  maxSummaryBytes: number;
};

/** The outcome of writing a summary, with the calls of the model that are paid. */
export type WrittenSummary = { chat: ChatRow; uses: readonly ModelUse[] } & (
  | { type: "written"; text: string }
  /** The signal was aborted. */
  | { type: "stopped" }
  | { type: "failed"; error: ChatError }
  /** The next try is due later than a turn waits. */
  | { type: "deferred"; retry: NextRetry }
  | { type: "lost" }
);

/**
 * Lets the model sum up a transcript, in as many calls as it needs; each continues the summary of the one before. Retries as
 * a step does. Writes nothing but its tries.
 */
export const writeSummary = async (
  deps: TurnDeps,
  turn: Turn,
  { model, previous, lines, instructions, ...sizes }: SummaryInput,
): Promise<WrittenSummary> => {
  const { maxSummaryBytes } = sizes;
  let { maxPieceBytes } = sizes;
  let pieces = joinLines(lines, maxPieceBytes);
  const caller = createCaller(deps, turn, model);
  let text = previous;
  for (let done = 0; pieces.length > 0;) {
    const [transcript = ""] = pieces;
    const answer = await caller.call(
      { previous: text, transcript, instructions },
      { part: done + 1, parts: done + pieces.length },
    );
    const isTooLong = answer.type === "failed" && answer.error.kind === "context_overflow";
    if (isTooLong && maxPieceBytes > MIN_PIECE_BYTES) {
      const bytes = Math.min(Buffer.byteLength(transcript), maxPieceBytes);
      maxPieceBytes = Math.max(Math.floor(bytes / 2), MIN_PIECE_BYTES);
      // JSON has no line ends of its own.
      pieces = joinLines(pieces.join("\n").split("\n"), maxPieceBytes);
      continue;
    }
    if (answer.type !== "written") return { ...answer, ...caller.state() };
    text = cutText(answer.text, {
      maxBytes: maxSummaryBytes,
      marker: (bytes) => `\n… ${bytes} bytes left out …\n`,
    });
    pieces = pieces.slice(1);
    done += 1;
  }
  return { type: "written", text, ...caller.state() };
};

type Position = { part: number; parts: number };
/** The outcome of one piece. */
type Answer =
  | { type: "written"; text: string }
  | { type: "stopped" }
  | { type: "failed"; error: ChatError }
  | { type: "deferred"; retry: NextRetry }
  | { type: "lost" };

/** Calls the model for the pieces of a summary, which share their tries. */
const createCaller = (deps: TurnDeps, turn: Turn, model: ChatModel) => {
  let { chat } = turn;
  const uses: ModelUse[] = [];
  const startedAt = deps.now().getTime();
  const failures = createStepFailures(turn, { startedAt, now: deps.now });
  const isolated = {
    ...model,
    providerOptions: isolateOptions(model.provider, model.providerOptions),
  };

  const callOnce = async (request: SummaryRequest, position: Position): Promise<StepOutcome> => {
    const prompt = createSummaryPrompt(request);
    deps.preview.reset(chat.attempt, chat.historyVersion);
    deps.preview.write({ op: "compaction", ...position });
    const totalMs = Math.max(startedAt + MAX_STEP_MS - deps.now().getTime(), 0);
    const outcome = await yieldWhileIdle(deps.slot, (onActivity) =>
      deps.callModel(
        isolated,
        { prompt, tools: [], mustAnswer: true },
        {
          sink: { start: onActivity, append: onActivity, end: onActivity },
          signal: deps.signal,
          now: deps.now,
          timeouts: { totalMs },
        },
      ),
    );
    const usage =
      outcome.type === "aborted"
        ? estimateUsage(measurePrompt(prompt).bytes, readText(outcome).length)
        : outcome.usage;
    if (usage) uses.push(toUse(deps, model, usage));
    return outcome;
  };

  const call = async (request: SummaryRequest, position: Position): Promise<Answer> => {
    for (;;) {
      const outcome = await callOnce(request, position);
      if (outcome.type === "finished") return { type: "written", text: readText(outcome) };
      if (outcome.type === "aborted") return { type: "stopped" };
      const { failure } = outcome;
      const { error, retry } = failures.add(
        // What has arrived is paid, but is no answer of the chat that could be kept.
        { ...failure, isUnusable: failure.isUnusable === true || outcome.parts.length > 0 },
        { characters: 0, answer: { model: model.label, parts: [] } },
        { attempt: chat.attempt, random: deps.random() },
      );
      if (!retry) return { type: "failed", error };
      deps.meter.record("retries", { ...model, kind: error.kind });
      if (retry.delay_ms > MAX_HELD_WAIT_MS) return { type: "deferred", retry };
      const next = await waitForRetry(deps, chat, retry);
      if (!next) return { type: "lost" };
      chat = next;
      if (deps.signal.aborted) return { type: "stopped" };
      if (deps.stopping.aborted) return { type: "deferred", retry };
    }
  };

  return { call, state: () => ({ chat, uses }) };
};

const readText = ({ parts }: StepOutcome): string =>
  parts
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n\n")
    .trim();
