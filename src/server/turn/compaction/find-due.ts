import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { DEFAULT_COMPACT_AT } from "@/contract/limits";
import { BYTES_PER_TOKEN } from "@/lib/tokens";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { measureMessage } from "@/server/machine/measure-message";
import {
  findBoundary,
  findSummary,
  type HistorySplit,
  splitHistory,
} from "@/server/machine/model-history";
import type { ChatModel } from "@/server/model/model-step";
import { calculateResultShare } from "@/server/turn/result-share";
import type { Turn } from "@/server/turn/turn-deps";
import { estimateTokens } from "./estimate-tokens";

/** The last steps of a turn keep at most this part of the context. */
const TAIL_PART = 1 / 10;
/** The same where the context is not known, in bytes: as much as a model with a small one. */
const UNKNOWN_TAIL_BYTES = 8 * 1024;
/** A summary of less than this part of the context would not make much room, and the next step would be due again. */
const MIN_GAIN_PART = 1 / 10;

/** Why the history is to be summed up before the model is called, and how large the prompt is, in tokens. */
export type DueCompaction = { reason: "automatic" | "overflow" | "requested"; tokens: number };

type CalledModel = Pick<ChatModel, "contextLimit" | "compactAt">;

type PlannedStep = {
  model: CalledModel;
  prompt: LanguageModelV4Prompt;
  bytes: number;
  tools: readonly LanguageModelV4FunctionTool[];
};

/** Splits the history of a turn by the context of its model. */
export const splitTurn = (
  { chat, history }: Pick<Turn, "chat" | "history">,
  { contextLimit }: CalledModel,
  isOver = false,
): HistorySplit => {
  const maxResultBytes = calculateResultShare(contextLimit, 1);
  return splitHistory(history, {
    turnId: chat.turnId,
    isOver,
    maxTailBytes:
      contextLimit === null ? UNKNOWN_TAIL_BYTES : contextLimit * BYTES_PER_TOKEN * TAIL_PART,
    measure: (message) => measureMessage(message, maxResultBytes),
  });
};

/** Whether a summary would take something out of the prompt. */
export const hasGain = ({ summed, carried }: HistorySplit): boolean =>
  summed.length > carried.length;

/** Decides from committed state whether the history is summed up before a step. */
export const findDue = (
  turn: Pick<Turn, "chat" | "history">,
  { model, ...step }: PlannedStep,
): DueCompaction | { reason: "too_large" } | undefined => {
  const { contextLimit, compactAt } = model;
  if (contextLimit === null || compactAt === 100) return undefined;
  const threshold = (contextLimit * (compactAt ?? DEFAULT_COMPACT_AT)) / 100;
  const tokens = estimateTokens({ history: turn.history, ...step });
  if (tokens < threshold) return undefined;
  const before = findOwnBoundary(turn);
  if (before) {
    // What the provider has refused already is sent once more: it knows better.
    return before.reason !== "overflow" && tokens > contextLimit
      ? { reason: "too_large" }
      : undefined;
  }
  return canCompact(turn, model) ? { reason: "automatic", tokens } : undefined;
};

/** Whether a prompt that the provider has refused as too long is summed up and sent again. */
export const canShorten = (turn: Pick<Turn, "chat" | "history">, model: CalledModel): boolean =>
  findOwnBoundary(turn) === undefined && hasGain(splitTurn(turn, model));

/** Whether it has not failed in this turn, and takes enough out of the prompt. */
const canCompact = (turn: Pick<Turn, "chat" | "history">, model: CalledModel): boolean => {
  const { compaction, turnId } = turn.chat;
  if (compaction?.status === "failed" && compaction.turn_id === turnId) return false;
  const { contextLimit } = model;
  const { summed, carried } = splitTurn(turn, model);
  const maxResultBytes = calculateResultShare(contextLimit, 1);
  const measure = (messages: readonly HistoryMessage[]): number =>
    messages.reduce((sum, message) => sum + measureMessage(message, maxResultBytes), 0);
  const minBytes = (contextLimit ?? 0) * BYTES_PER_TOKEN * MIN_GAIN_PART;
  return measure(summed) - measure(carried) >= minBytes;
};

/** @returns the summary that this turn has written since its last step. */
const findOwnBoundary = ({ chat, history }: Pick<Turn, "chat" | "history">) => {
  const index = findBoundary(history);
  const boundary = history[index];
  if (boundary?.turnId !== chat.turnId) return undefined;
  const hasStep = history.slice(index + 1).some(({ role }) => role === "assistant");
  const summary = findSummary(boundary);
  return hasStep || summary?.reason === "cleared" ? undefined : summary;
};
