import type { ChatError } from "@/contract/chat-error";
import { BYTES_PER_TOKEN } from "@/lib/tokens";
import type { HistoryMessage, PartRow } from "@/server/db/chats/rows";
import { toFence } from "@/server/db/sql/machine/fence";
import {
  type AfterSummary,
  commitSummary,
  noteFailedSummary,
} from "@/server/db/sql/machine/summary-commits";
import { recordLostUses } from "@/server/db/sql/writes/usage";
import {
  findBoundary,
  findSummary,
  readSummaryText,
  toModelHistory,
} from "@/server/machine/model-history";
import type { ChatModel } from "@/server/model/model-step";
import { abandonTurn, deferTurn, endTurn, failTurn, stopTurn } from "@/server/turn/end-turn";
import { resolveStepModel } from "@/server/turn/generate-step";
import { buildPrompt } from "@/server/turn/prompt/build-prompt";
import { measurePrompt } from "@/server/turn/prompt/measure-prompt";
import { listSystemPrompts } from "@/server/turn/prompt/step-prompt";
import type { Progress, Turn, TurnDeps, TurnTools } from "@/server/turn/turn-deps";
import { estimateTokens } from "./estimate-tokens";
import { type DueCompaction, hasGain, splitTurn } from "./find-due";
import { type WrittenSummary, writeSummary } from "./write-summary";
import { writeTranscript } from "./write-transcript";

/** One call reads at most this part of the context: the summary, and what models count differently, need the rest. */
const PIECE_PART = 6 / 10;
/** A summary has at most this part of the context. */
const SUMMARY_PART = 2 / 10;
/** The largest summary, in bytes: what is longer is no summary. */
const MAX_SUMMARY_BYTES = 32 * 1024;
/** What one call reads if the context is not known, in bytes. */
const UNKNOWN_PIECE_BYTES = 96 * 1024;

type Compaction = {
  model: ChatModel;
  tools: TurnTools;
  due: DueCompaction;
  instructions: string;
  /** Whether the chat rests afterwards. */
  rests: boolean;
};

/** Sums up what came before a step, so that its prompt becomes shorter. */
export const compactDue = (
  deps: TurnDeps,
  turn: Turn,
  due: Pick<Compaction, "model" | "tools" | "due">,
): Promise<Progress> => compactHistory(deps, turn, { ...due, instructions: "", rests: false });

/** Sums up what came before because a person has asked for it. */
export const compactRequested = async (
  deps: TurnDeps,
  turn: Turn,
  tools: TurnTools,
): Promise<Progress> => {
  const { compaction } = turn.chat;
  if (compaction?.status !== "requested") throw new Error("no summary was asked for");
  const { instructions = "" } = compaction;
  // A report that came meanwhile is answered, as it would have begun a turn.
  const last = turn.history.at(-1);
  const hasReport = last?.role === "event" && findSummary(last) === undefined;
  const rests = compaction.rests && !hasReport;
  const model = await resolveStepModel(deps, turn.chat);
  if ("failure" in model) return endFailed(deps, turn, { error: model.failure, uses: [], rests });
  const tokens = estimateHistory(turn, { model, tools });
  const due = { reason: "requested", tokens } as const;
  return compactHistory(deps, turn, { model, tools, due, instructions, rests });
};

const compactHistory = async (
  deps: TurnDeps,
  turn: Turn,
  compaction: Compaction,
): Promise<Progress> => {
  const { model, rests } = compaction;
  const split = splitTurn(turn, model, rests);
  if (!hasGain(split)) {
    return endFailed(deps, turn, { error: NOTHING_TO_SUM_UP, uses: [], rests });
  }
  const { contextLimit, label } = model;
  const contextBytes = contextLimit === null ? undefined : contextLimit * BYTES_PER_TOKEN;
  const summary = await writeSummary(deps, turn, {
    model,
    previous: readPrevious(turn.history),
    lines: writeTranscript(split.summed, { contextLimit, model: label }),
    instructions: compaction.instructions,
    maxPieceBytes: contextBytes ? Math.floor(contextBytes * PIECE_PART) : UNKNOWN_PIECE_BYTES,
    maxSummaryBytes: Math.min(
      contextBytes ? Math.floor(contextBytes * SUMMARY_PART) : MAX_SUMMARY_BYTES,
      MAX_SUMMARY_BYTES,
    ),
  });
  const kept = [...split.carried, ...split.tail].map(({ seq }) => seq);
  return endCompaction(deps, { ...turn, chat: summary.chat }, { ...compaction, summary, kept });
};

const NOTHING_TO_SUM_UP: ChatError = {
  kind: "config",
  message: "There is nothing before the last messages that could be summed up.",
  retryable: false,
};

const readPrevious = (history: readonly HistoryMessage[]): string => {
  const boundary = history[findBoundary(history)];
  return boundary ? readSummaryText(boundary) : "";
};

const endCompaction = async (
  deps: TurnDeps,
  turn: Turn,
  { summary, ...compaction }: Compaction & { summary: WrittenSummary; kept: number[] },
): Promise<Progress> => {
  const { chat } = turn;
  const { uses } = summary;
  switch (summary.type) {
    case "written":
      return commitBoundary(deps, turn, { ...compaction, text: summary.text, uses });
    case "failed":
      return canGoOn(compaction)
        ? noteFailure(deps, turn, { error: summary.error, uses, after: "continue" })
        : endFailed(deps, turn, { ...compaction, error: summary.error, uses });
    case "lost":
      return abandonTurn(deps, chat, { summaryUses: uses });
    case "stopped":
      return stopTurn(deps, chat, { summaryUses: uses });
    case "deferred":
      if (uses.length > 0) await recordLostUses(deps.db, chat, { kind: "compaction", uses });
      return deferTurn(deps, { type: "deferred", chat, retry: summary.retry });
  }
};

/** Whether the model can be called without the summary. */
const canGoOn = ({ due, model: { contextLimit } }: Compaction): boolean =>
  due.reason === "automatic" && contextLimit !== null && due.tokens <= contextLimit;

type NewBoundary = Compaction & {
  text: string;
  kept: number[];
  uses: WrittenSummary["uses"];
};

const commitBoundary = async (
  deps: TurnDeps,
  turn: Turn,
  { text, kept, uses, due, ...compaction }: NewBoundary,
): Promise<Progress> => {
  const { model, instructions, rests } = compaction;
  const createParts = (tokensAfter: number): PartRow[] => [
    {
      type: "summary",
      data: {
        reason: due.reason,
        ...(instructions !== "" && { instructions }),
        kept,
        tokens_before: due.tokens,
        tokens_after: tokensAfter,
      },
    },
    { type: "text", text },
  ];
  const messageId = deps.newId();
  const draft: HistoryMessage = {
    id: messageId,
    seq: turn.chat.lastSeq + 1,
    role: "event",
    turnId: turn.chat.turnId,
    parts: createParts(0),
    model: model.label,
    usage: null,
    createdBy: null,
  };
  const history = [...turn.history, draft];
  const contextTokens = estimateHistory({ chat: turn.chat, history }, compaction);
  const committed = await commitSummary(deps.db, toFence(turn.chat), {
    summary: {
      messageId,
      model: model.label,
      parts: createParts(contextTokens),
      uses,
      contextTokens,
    },
    after: rests ? "finish" : "continue",
  });
  if (!committed) return abandonTurn(deps, turn.chat, { summaryUses: uses });
  const { chat, message } = committed;
  deps.recent.add({ chat, messages: [message] });
  deps.meter.record("compactions", { ...model, reason: due.reason });
  return rests
    ? endTurn(deps, chat, FINISHED)
    : { chat, history: [...turn.history, message], toolModes: turn.toolModes };
};

const FINISHED = { type: "finish", reason: "answered" } as const;

/** Estimates the tokens of the next prompt, without its files. */
const estimateHistory = (
  { chat, history }: Pick<Turn, "chat" | "history">,
  { model, tools }: Pick<Compaction, "model" | "tools">,
): number => {
  const prompt = buildPrompt({
    system: listSystemPrompts({ chat, history }, tools),
    history: toModelHistory(history),
    contextLimit: model.contextLimit,
    model: model.label,
  });
  const { bytes } = measurePrompt(prompt);
  return estimateTokens({ history, prompt, bytes, tools: tools.toolbox.definitions });
};

type Failure = { error: ChatError; uses: WrittenSummary["uses"] };

/** Leaves a chat that rested as it was; the turn of another one fails. */
const endFailed = async (
  deps: TurnDeps,
  turn: Turn,
  { error, uses, rests }: Failure & { rests: boolean },
): Promise<Progress> => {
  if (rests) return noteFailure(deps, turn, { error, uses, after: "finish" });
  const message = `${NOT_SUMMED_UP} ${error.message}`;
  await failTurn(deps, turn.chat, { error: { ...error, message }, summaryUses: uses });
  deps.meter.record("turns", { ending: "failed" });
  return "done";
};

const NOT_SUMMED_UP = "What came before could not be summed up.";

const noteFailure = async (
  deps: TurnDeps,
  turn: Turn,
  { error, uses, after }: Failure & { after: AfterSummary },
): Promise<Progress> => {
  deps.log.warn({ chatId: turn.chat.id, kind: error.kind }, "history not summed up");
  const chat = await noteFailedSummary(deps.db, toFence(turn.chat), {
    failure: { status: "failed", message: error.message, turn_id: turn.chat.turnId },
    uses,
    after,
  });
  if (!chat) return abandonTurn(deps, turn.chat, { summaryUses: uses });
  deps.recent.add({ chat, messages: [] });
  return after === "finish"
    ? endTurn(deps, chat, FINISHED)
    : { chat, history: turn.history, toolModes: turn.toolModes };
};
