import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { FinishReason } from "@/contract/message";
import type { ChatRow, MessageRow, PartRow, ToolCallPartRow } from "@/server/db/rows";
import type { AfterCommit, NewStep } from "@/server/db/turn-writes";
import type { CallModel, ChatModel } from "@/server/model/model-step";
import type { PreviewWriter } from "@/server/stream/preview";
import type { CallSeams } from "@/server/tools/tool-context";
import type { Toolbox } from "@/server/tools/toolbox";

/** Why a turn is stopped from outside; the abort reason of its signal. */
export type StopReason = "interrupted" | "lost" | "shutdown";

/** What an interruption keeps: the answer so far, or the calls that had ended by then. */
export type Kept = {
  partial?: { model: string; parts: PartRow[] };
  settled?: { messageId: string; calls: ToolCallPartRow[] };
};

/**
 * The committed chat. Writes are fenced: undefined means that the lease is lost or the history
 * has changed, and that nothing was written. They reject only when the database is gone.
 */
export type TurnStore = {
  readHistory: (chat: ChatRow) => Promise<MessageRow[]>;
  commitStep: (
    chat: ChatRow,
    commit: { step: NewStep; after: AfterCommit },
  ) => Promise<{ chat: ChatRow; createdAt: Date } | undefined>;
  settleCalls: (
    chat: ChatRow,
    commit: { messageId: string; calls: ToolCallPartRow[]; after: AfterCommit },
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
  finishInterruption: (chat: ChatRow, kept: Kept) => Promise<void>;
  failTurn: (chat: ChatRow, error: ChatError) => Promise<void>;
  release: (chat: ChatRow) => Promise<void>;
};

/** The seams of one turn: everything that the loop touches of the world. */
export type TurnPorts = {
  store: TurnStore;
  /** The chat's model, or why there is none. Does not reject. */
  resolveModel: (chat: ChatRow) => Promise<ChatModel | { failure: ChatError }>;
  callModel: CallModel;
  toolbox: (chat: ChatRow) => Toolbox;
  /** What calls of one message reach; `emit` and `signal` are the loop's. */
  callSeams: (
    chat: ChatRow,
    message: MessageRow,
    replyTo: MessageRow | undefined,
  ) => Omit<CallSeams, "emit" | "signal" | "now" | "newId" | "maxOutputBytes">;
  preview: PreviewWriter;
  /** Aborted with a `StopReason`. */
  signal: AbortSignal;
  /** True once the process wants to stop: the turn is given up at the next step boundary. */
  isStopping: () => boolean;
  now: () => Date;
  newId: () => string;
  /** 0 to 1. */
  chance: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A chat in the worker's hands: the claimed row as of the last commit, and its history. */
export type Turn = { chat: ChatRow; history: readonly MessageRow[] };
