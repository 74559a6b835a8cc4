import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { FinishReason } from "@/contract/message";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type { ClaimedChat } from "@/server/db/sql/claim";
import type { ChatRow, HistoryMessage, MessageRow, PartRow } from "@/server/db/rows";
import type { AfterCommit, NewStep, SettledCalls } from "@/server/db/sql/turn-commits";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { CallModel, ChatModel } from "@/server/model/model-step";
import type { PreviewWriter } from "@/server/stream/preview";
import type { SaveArtifact, ToolLog } from "@/server/tools/tool-context";
import type { Toolbox } from "@/server/tools/toolbox";
import type { StepAdvisors } from "./step-advisors";

/** Why a turn is stopped; the abort reason of its signal. */
export type StopReason = "interrupted" | "lost" | "shutdown";

/** The output of an interrupted turn: a partial answer, or calls that have ended. */
export type PartialTurn = {
  partial?: { model: string; parts: PartRow[] };
  settled?: SettledCalls;
};

/**
 * The committed chat. Writes are fenced: undefined means that the lease is lost or the history
 * has changed, and that nothing was written. They reject only when the database is gone.
 */
export type TurnStore = {
  readHistory: (chat: ClaimedChat) => Promise<HistoryMessage[]>;
  /**
   * Caches a committed history for the chat's next turn.
   *
   * @param bytes size of the prompt that was built from it.
   */
  rememberHistory: (turn: Turn, bytes: number) => void;
  commitStep: (
    chat: ChatRow,
    commit: { step: NewStep; after: AfterCommit },
  ) => Promise<{ chat: ChatRow; message: MessageRow } | undefined>;
  settleCalls: (
    chat: ChatRow,
    commit: SettledCalls & { after: AfterCommit },
  ) => Promise<ChatRow | undefined>;
  startApprovedCalls: (
    chat: ChatRow,
    calls: { messageId: string; toolCallIds: string[] },
  ) => Promise<boolean>;
  rest: (
    chat: ChatRow,
    rest: { after: AfterCommit; notice: FinishReason | null },
  ) => Promise<ChatRow | undefined>;
  recordRetry: (
    chat: ChatRow,
    retry: Omit<ChatRetry, "retrying_at">,
  ) => Promise<ChatRow | undefined>;
  recordAttempt: (chat: ChatRow) => Promise<ChatRow | undefined>;
  /** Ends the turn of a chat whose queue is not empty: the head enters the history. */
  finishTurn: (chat: ChatRow) => Promise<void>;
  finishInterruption: (chat: ChatRow, partial: PartialTurn) => Promise<void>;
  failTurn: (chat: ChatRow, error: ChatError) => Promise<void>;
  release: (chat: ChatRow) => Promise<void>;
};

/** Everything outside of the loop that one turn uses. */
export type TurnDeps = {
  store: TurnStore;
  /** The chat's model, or why there is none. Does not reject. */
  resolveModel: (chat: ChatRow) => Promise<ChatModel | { failure: ChatError }>;
  callModel: CallModel;
  /** The tools that the turn offers. Does not reject. */
  tools: (chat: ChatRow) => Promise<TurnTools>;
  saveArtifact: SaveArtifact;
  /** Receives the advisor of each step while its calls run. */
  stepAdvisors: Pick<StepAdvisors, "add">;
  log: ToolLog;
  preview: PreviewWriter;
  meter: TurnMeter;
  /** Aborted with a `StopReason`. */
  signal: AbortSignal;
  /** True when the process is stopping: the turn is released at the next step boundary. */
  isStopping: () => boolean;
  now: () => Date;
  newId: () => string;
  /** 0 to 1. */
  random: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A chat that a worker holds: its row as of the last commit, and its history. */
export type Turn = { chat: ChatRow; history: readonly HistoryMessage[] };

/** The tools of one turn. The advisor is among them exactly when there is an advisor to ask. */
export type TurnTools = { toolbox: Toolbox; advisor: AdvisorRuntime | undefined };

/** The prompt of a step, and the "provider/model" that it was built for. */
export type StepRequest = { prompt: LanguageModelV4Prompt; model: string };
