import type { EndedCalls } from "@/server/db/connection/database";
import type { ChatError } from "@/contract/chat-error";
import type { Group } from "@/contract/group";
import type { FinishReason } from "@/contract/message";
import type { ToolModes } from "@/contract/tool";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import type {
  ChatRow,
  HistoryMessage,
  MessageRow,
  PartialAnswer,
  StoredRetry,
  ToolCallPartRow,
} from "@/server/db/chats/rows";
import type {
  AfterCommit,
  CommittedChat,
  NewStep,
  SettledCalls,
} from "@/server/db/sql/machine/turn-commits";
import type { NextRetry } from "@/server/db/sql/machine/turn-retries";
import type { LostUses } from "@/server/db/sql/writes/usage";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { CallModel, ChatModel } from "@/server/model/model-step";
import type { PreviewWriter } from "@/server/stream/preview";
import type { ApprovableCall } from "@/server/tools/prepare-call";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import type { SaveArtifact, ToolLog } from "@/server/tools/tool-context";
import type { Toolbox } from "@/server/tools/toolbox";
import type { WaitProgress } from "@/server/agents/wait-for-agents";
import type { HeldCalls } from "./held-calls";
import type { ClaimNew, RunningSteps } from "@/server/agents/running-steps";
import type { TaskRuns } from "@/server/tasks/task-runs";
import type { TurnSlot } from "./turn-slot";

/** Why a turn is stopped; the abort reason of its signal. */
export type StopReason = "interrupted" | "lost" | "shutdown";

/** The output of a turn that did not come to its end: a partial answer, or calls that have ended. */
export type PartialTurn = {
  partial?: PartialAnswer | undefined;
  settled?: SettledCalls;
  /** All calls that this worker has run, or has not let run any more; none of them goes on. */
  ran?: readonly ToolCallPartRow[];
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
  ) => Promise<(CommittedChat & { message: MessageRow }) | undefined>;
  settleCalls: (
    chat: ChatRow,
    commit: SettledCalls & { after: AfterCommit },
  ) => Promise<CommittedChat | undefined>;
  /** Whether a person has approved such calls for the whole chat. */
  hasApprovalRule: (chat: ChatRow, call: ApprovableCall) => Promise<boolean>;
  startApprovedCalls: (
    chat: ChatRow,
    calls: { messageId: string; toolCallIds: string[] },
  ) => Promise<boolean>;
  rest: (
    chat: ChatRow,
    rest: { after: AfterCommit; notice: FinishReason | null },
  ) => Promise<ChatRow | undefined>;
  recordRetry: (chat: ChatRow, retry: NextRetry) => Promise<ChatRow | undefined>;
  /** Releases the chat until its retry. */
  defer: (chat: ChatRow, retry: NextRetry) => Promise<ChatRow | undefined>;
  recordAttempt: (chat: ChatRow) => Promise<ChatRow | undefined>;
  /** Lets the reports of tasks that wait enter the history. */
  takeReports: (
    chat: ChatRow,
  ) => Promise<{ chat: ChatRow; message: MessageRow | undefined } | undefined>;
  /** Parks a chat whose calls wait for agents, unless the wait is over. */
  waitForAgents: (chat: ChatRow, message: HistoryMessage) => Promise<WaitProgress | undefined>;
  /** Lets a chat go on whose turn has ended while reports came, if it may. */
  wake: (chatId: string) => Promise<void>;
  /** Ends the turn of a chat whose queue is not empty: the head enters the history. */
  finishTurn: (chat: ChatRow) => Promise<void>;
  /** @returns false if there is no interruption to finish. */
  finishInterruption: (chat: ChatRow, partial: PartialTurn) => Promise<boolean>;
  failTurn: (chat: ChatRow, error: ChatError, partial: PartialTurn) => Promise<void>;
  /** Reports calls that ended here after the chat was taken from this worker. */
  reportEnded: (chat: ChatRow, calls: EndedCalls["calls"]) => void;
  release: (chat: ChatRow) => Promise<void>;
  /** Counts model calls whose answer is not committed, of a chat that may no longer be held. */
  recordLostUses: (chat: ChatRow, uses: LostUses) => Promise<void>;
};

/** Everything outside of the loop that one turn uses. */
export type TurnDeps = {
  store: TurnStore;
  /** The chat's model, or why there is none. Does not reject. */
  resolveModel: (chat: ChatRow) => Promise<ChatModel | { failure: ChatError }>;
  callModel: CallModel;
  /** The tools that the turn offers with these modes. Does not reject. */
  tools: (chat: ChatRow, toolModes: ToolModes) => Promise<TurnTools>;
  saveArtifact: SaveArtifact;
  openArtifact: ArtifactDeps["openArtifact"];
  /** Receives each step while its calls run. */
  runningSteps: Pick<RunningSteps, "add">;
  /** Calls of this process that outlast their turns, as they wait for a person. */
  heldCalls: Omit<HeldCalls, "hasChat" | "endChat" | "check" | "endAll">;
  /** Work of this process that goes on after its calls. */
  tasks: Pick<TaskRuns, "open">;
  log: ToolLog;
  preview: PreviewWriter;
  meter: TurnMeter;
  /** Aborted with a `StopReason`. */
  signal: AbortSignal;
  /** Whether no other worker can have taken the chat because the lease has ended. */
  isLeaseFresh: () => boolean;
  /** True when the process is stopping: the turn is released at the next step boundary. */
  isStopping: () => boolean;
  now: () => Date;
  newId: () => string;
  /** 0 to 1. */
  random: () => number;
  claimNew: ClaimNew;
  /** What the turn occupies of its worker. */
  slot: TurnSlot;
  /** Called when a chat was deferred, with the time after which it can be claimed, in milliseconds. */
  onDeferred: (ms: number) => void;
  /** Resolves after the time, or at once when the signal aborts or the process is stopping. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A chat that a worker holds: its row as of the last commit, and its history. */
export type Turn = {
  chat: ChatRow;
  history: readonly HistoryMessage[];
  /** As of the same commit. */
  toolModes: ToolModes;
  /** For the first step of a claim: the retry that it continues. */
  lastRetry?: StoredRetry | null;
};

/**
 * The tools of a turn while their modes and the chat's choice are these. The advisor is among them exactly when there
 * is an advisor to ask.
 */
export type TurnTools = {
  toolbox: Toolbox;
  advisor: AdvisorRuntime | undefined;
  /** The groups that the chat has chosen. */
  groups: readonly Group[];
  basis: Pick<ChatRow, "toolNames" | "groupNames"> & { toolModes: ToolModes };
};
