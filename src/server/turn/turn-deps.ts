import type { Database } from "@/server/db/connection/database";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { RecentHistories } from "@/server/db/chats/recent-histories";
import type { AgentLimits } from "@/contract/limits";
import type { ChatError } from "@/contract/chat-error";
import type { Group } from "@/contract/group";
import type { ToolModes } from "@/contract/tool";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type {
  ChatRow,
  HistoryMessage,
  MessageRow,
  ModelUse,
  PartialAnswer,
  StoredRetry,
  ToolCallPartRow,
} from "@/server/db/chats/rows";
import type { SettledCalls } from "@/server/db/sql/machine/turn-commits";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { CallModel, ChatModel } from "@/server/model/model-step";
import type { PreviewWriter } from "@/server/stream/preview-relay";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import type { HeldCalls } from "@/server/tools/held-calls";
import type { SaveArtifact, ToolLog } from "@/server/tools/tool-context";
import type { MessageFileDeps } from "./prompt/message-files";
import type { Toolbox } from "@/server/tools/toolbox";
import type { TaskRuns } from "@/server/tasks/task-runs";
import type { ClaimNew } from "@/server/db/sql/machine/claim";

/** Why a turn is stopped; the abort reason of its signal. */
export type StopReason = "interrupted" | "lost" | "shutdown";

/** The output of a turn that did not come to its end: a partial answer, or calls that have ended. */
export type PartialTurn = {
  partial?: PartialAnswer | undefined;
  settled?: SettledCalls;
  /** Calls of the model for a summary that is not committed. */
  summaryUses?: readonly ModelUse[];
  /** All calls that this worker has run, or has not let run any more; none of them goes on. */
  ran?: readonly ToolCallPartRow[];
};

/** The place that a turn occupies in its worker. */
export type TurnSlot = {
  /** Frees the slot for turns at other providers. Idempotent. */
  yield: () => void;
  /** Occupies the slot again at once, even if the worker then exceeds its concurrency. Idempotent. */
  reclaim: () => void;
};

/** Everything outside of the loop that one turn uses. */
export type TurnDeps = {
  /** Writes to the chat are fenced: undefined means that the lease is lost or the history has changed. */
  db: Database;
  /** Receives each transition of the chat after its commit. */
  recent: Pick<RecentChanges, "add">;
  histories: Pick<RecentHistories, "read" | "add">;
  agentLimits: AgentLimits;
  /** The chat's model, or why there is none. Does not reject. */
  resolveModel: (chat: ChatRow) => Promise<ChatModel | { failure: ChatError }>;
  callModel: CallModel;
  /** The tools that the turn offers with these modes. Does not reject. */
  tools: (chat: ChatRow, toolModes: ToolModes) => Promise<TurnTools>;
  saveArtifact: SaveArtifact;
  openArtifact: ArtifactDeps["openArtifact"];
  files: MessageFileDeps;
  /** Calls of this process that outlast their turns, as they wait for a person. */
  heldCalls: HeldCalls;
  /** Work of this process that goes on after its calls. */
  tasks: Pick<TaskRuns, "open">;
  log: ToolLog;
  preview: PreviewWriter;
  meter: TurnMeter;
  /** Aborted with a `StopReason`. */
  signal: AbortSignal;
  /** Whether no other worker can have taken the chat because the lease has ended. */
  isLeaseFresh: () => boolean;
  /** Aborted when the process is stopping: the turn is released at the next step boundary. */
  stopping: AbortSignal;
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
  /** The answer that this turn has committed last, as it would be read now. */
  answer?: MessageRow | undefined;
  /** For the first step of a claim: the retry that it continues. */
  lastRetry?: StoredRetry | null;
};

/** This worker's part of the turn is over. */
export type TurnEnd = "done";

/** What a step leads to: the turn to continue, or the end of this worker's part. */
export type Progress = Turn | TurnEnd;

/**
 * The tools of a turn while their modes and the chat's choice are these. The advisor is among them exactly when there
 * is an advisor to ask.
 */
export type TurnTools = {
  toolbox: Toolbox;
  advisor: AdvisorRuntime | undefined;
  /** The groups that the chat has chosen. */
  groups: readonly Group[];
  basis: Pick<ChatRow, "toolNames" | "groupNames" | "dynamicTools"> & { toolModes: ToolModes };
};
