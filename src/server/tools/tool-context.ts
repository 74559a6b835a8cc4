import type { AdvisorResult } from "@/contract/advisor";
import type { Labels } from "@/contract/labels";
import type { ChatDynamicTool } from "@/contract/dynamic-tool";
import type { Elicitation, ElicitationAnswer } from "@/contract/elicitation";
import type { Artifact } from "@/contract/part";
import type { PreviewOp } from "@/contract/stream-event";
import type { ToolModes } from "@/contract/tool";
import type { ByteSource } from "@/lib/byte-source";
import { maskSecrets } from "@/server/mask-secrets";
import { mapStrings } from "./map-texts";
import type { NewTask, OpenTask } from "./task";

export type ToolLog = Record<
  "debug" | "info" | "warn" | "error",
  (fields: object, message: string) => void
>;

/** What a running tool reports: more text, or that its text starts over. */
export type ToolProgress = { type: "append"; phase?: string; text: string } | { type: "reset" };

export type NewArtifact = { name: string; mediaType: string; bytes: Uint8Array | ByteSource };

/** Stores a file for the call that made it, or for an answer. Rejects with a `ToolFailure` when there is no room for it. */
export type SaveArtifact = (
  call: Pick<ToolContext, "chatId" | "userId"> & { toolCallId: string | null },
  file: NewArtifact,
) => Promise<Artifact>;

/** The chat that tools are offered to and called in. */
export type ToolChat = Readonly<{ chatId: string; rootChatId: string; userId: string }>;

/** What decides which tools that the server runs are offered. */
export type OfferScope = Readonly<{
  isRoot: boolean;
  hasAdvisor: boolean;
  /** As administrators have set them. */
  toolModes: ToolModes;
  /** Names of the tools that the chat may use; null for all. */
  toolNames: ReadonlySet<string> | null;
}>;

/** What decides which tools a turn is offered. */
export type ToolScope = ToolChat &
  OfferScope &
  Readonly<{
    /** In declared order. */
    dynamicTools: readonly ChatDynamicTool[];
    log: Pick<ToolLog, "warn">;
  }>;

/** The identity of one call, and what depends on the call; immutable. */
export type ToolContext = ToolChat &
  Readonly<{
    /** Whose agent calls: that of the chat itself, or one that it has spawned. */
    agentLevel: "root" | "child";
    /** Of the chat, at the time of the call. */
    labels: Readonly<Labels>;
    /** Who asked for the turn: a user's id, `api_key:<id>`, or `worker` for an event of our own. */
    actor: string;
    turnId: string;
    /** The assistant message that asked for the call. */
    messageId: string;
    toolCallId: string;
    /** The user message that the turn answers. */
    replyToMessageId?: string | undefined;
    /** Where the turn's user message came from; `worker` is an event of our own. */
    channel: "web" | "api" | "worker";
    now: () => Date;
    /** A UUIDv7. */
    newId: () => string;
    signal: AbortSignal;
    log: ToolLog;
    /** Shows progress live, without storing it. Returns at once and does not throw. */
    emit: (progress: ToolProgress) => void;
    elicit: Elicit;
    /** Opens a task for work that goes on after the call; see `runWithTask`. */
    openTask: (task: NewTask) => OpenTask;
    running: RunningStep;
  }>;

/**
 * What a running step gives to its calls; rooms above this one add things for tools of their own. It is emptied when the
 * step has ended, as a call that goes on must not keep its turn in memory.
 */
export type RunningStep = {
  /** Undefined for a step without an advisor, and for one that another worker has made. */
  advise?: Advise | undefined;
};

/**
 * Asks the advisor of one step.
 *
 * @throws when the turn is stopped; every other failure is a result.
 */
export type Advise = (
  question: string,
  call: Pick<ToolContext, "emit" | "signal">,
) => Promise<AdvisorResult>;

/**
 * Asks a person something while a call runs, for as long as its chat waits. Rejects when nobody can answer any more, or
 * when `withdrawn` is aborted.
 */
export type Elicit = (
  elicitation: Elicitation,
  withdrawn: AbortSignal,
) => Promise<ElicitationAnswer>;

/** What all calls of one step share. */
export type StepContext = Omit<ToolContext, "toolCallId" | "emit" | "elicit" | "openTask">;

/** What running a call needs of the app. */
export type CallDeps = {
  step: StepContext;
  emit: (op: PreviewOp) => void;
  elicit: Elicit;
  /** Opens a task of a call; nothing is stored before it begins. */
  openTask: (call: ToolContext, task: NewTask) => OpenTask;
  saveArtifact: SaveArtifact;
  /** The model's share of a result, in bytes. */
  maxOutputBytes: number;
  /** Called when the result was over it, or when the tool itself has cut it. */
  onTruncated: () => void;
};

/** Creates the context of a call. @returns also a function after which nothing is emitted. */
export const createToolContext = (
  { step, emit, elicit, openTask }: CallDeps,
  toolCallId: string,
): { context: ToolContext; close: () => void } => {
  let open = true;
  const context: ToolContext = Object.freeze({
    ...step,
    toolCallId,
    emit: (progress: ToolProgress) => {
      if (open) emit(previewOp({ message_id: step.messageId, tool_call_id: toolCallId }, progress));
    },
    elicit: (elicitation: Elicitation, withdrawn: AbortSignal) =>
      elicit(mapStrings(elicitation, maskSecrets), withdrawn),
    openTask: (task: NewTask) => openTask(context, task),
  });
  return { context, close: () => (open = false) };
};

const previewOp = (
  call: { message_id: string; tool_call_id: string },
  progress: ToolProgress,
): PreviewOp => {
  if (progress.type === "reset") return { op: "output-reset", ...call };
  const { phase, text } = progress;
  return {
    op: "output-append",
    ...call,
    ...(phase !== undefined && { phase }),
    text: maskSecrets(text),
  };
};
