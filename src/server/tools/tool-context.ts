import type { Artifact } from "@/contract/part";
import type { PreviewOp } from "@/contract/stream-event";
import { redactSecrets } from "@/lib/redact-secrets";

export type ToolLog = Record<
  "debug" | "info" | "warn" | "error",
  (fields: object, message: string) => void
>;

/** What a running tool reports: more text, or that its text starts anew. */
export type ToolProgress = { type: "append"; phase?: string; text: string } | { type: "reset" };

export type NewArtifact = { name: string; mediaType: string; bytes: Uint8Array };

/** Stores a file for the call that made it. Rejects when the file cannot be stored. */
export type SaveArtifact = (
  call: Pick<ToolContext, "chatId" | "userId" | "toolCallId">,
  file: NewArtifact,
) => Promise<Artifact>;

/** The chat that tools are offered to and called in. */
export type ToolChat = Readonly<{ chatId: string; rootChatId: string; userId: string }>;

/** What identifies one call, and the call's own means; made for one call and never changed. */
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
    /** Shown live with the call, never stored; returns at once and does not throw. */
    emit: (progress: ToolProgress) => void;
  }>;

/** What the calls of one step have in common. */
export type StepContext = Omit<ToolContext, "toolCallId" | "emit">;

/** What running a call needs of the app. */
export type CallDeps = {
  step: StepContext;
  emit: (op: PreviewOp) => void;
  saveArtifact: SaveArtifact;
  /** Budget of the text that the model gets of one result. */
  maxOutputBytes: number;
};

/** @returns the call's context, and how to close it: nothing is emitted after that. */
export const openToolContext = (
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
