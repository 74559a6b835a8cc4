import type { DynamicTool } from "@/contract/dynamic-tool";
import type { Artifact } from "@/contract/part";
import type { PreviewOp } from "@/contract/stream-event";
import { redactSecrets } from "@/lib/redact-secrets";

export type ToolLog = Record<
  "debug" | "info" | "warn" | "error",
  (fields: object, message: string) => void
>;

/** What a running tool reports: more text, or that its text starts over. */
export type ToolProgress = { type: "append"; phase?: string; text: string } | { type: "reset" };

export type NewArtifact = { name: string; mediaType: string; bytes: Uint8Array };

/** Stores a file for the call that made it. Rejects when the file cannot be stored. */
export type SaveArtifact = (
  call: Pick<ToolContext, "chatId" | "userId" | "toolCallId">,
  file: NewArtifact,
) => Promise<Artifact>;

/** The chat that tools are offered to and called in. */
export type ToolChat = Readonly<{ chatId: string; rootChatId: string; userId: string }>;

/** What decides which tools a turn is offered. */
export type ToolScope = ToolChat &
  Readonly<{
    isRoot: boolean;
    /** In declared order. */
    dynamicTools: readonly DynamicTool[];
    hasAdvisor: boolean;
    log: Pick<ToolLog, "warn">;
  }>;

/** The identity of one call, and what depends on the call; immutable. */
export type ToolContext = ToolChat &
  Readonly<{
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
  }>;

/** What all calls of one step share. */
export type StepContext = Omit<ToolContext, "toolCallId" | "emit">;

/** What running a call needs of the app. */
export type CallDeps = {
  step: StepContext;
  emit: (op: PreviewOp) => void;
  saveArtifact: SaveArtifact;
  /** Budget of one result's text for the model, in bytes. */
  maxOutputBytes: number;
};

/** Creates the context of a call. @returns also a function after which nothing is emitted. */
export const createToolContext = (
  { step, emit }: CallDeps,
  toolCallId: string,
): { context: ToolContext; close: () => void } => {
  let open = true;
  const context = Object.freeze({
    ...step,
    toolCallId,
    emit: (progress: ToolProgress) => {
      if (open) emit(previewOp(toolCallId, progress));
    },
  });
  return { context, close: () => (open = false) };
};

const previewOp = (tool_call_id: string, progress: ToolProgress): PreviewOp => {
  if (progress.type === "reset") return { op: "output-reset", tool_call_id };
  const { phase, text } = progress;
  return {
    op: "output-append",
    tool_call_id,
    ...(phase !== undefined && { phase }),
    text: redactSecrets(text),
  };
};
