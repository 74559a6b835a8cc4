import type { AdvisorResult } from "@/contract/advisor";
import type { Artifact } from "@/contract/part";
import type { PreviewOp } from "@/contract/stream-event";
import { redactSecrets } from "@/lib/redact-secrets";
import type { Workspace } from "./workspace";

export type ToolLog = Record<
  "debug" | "info" | "warn" | "error",
  (fields: object, message: string) => void
>;

/** What a running tool says of itself: more text, or that its text starts anew. */
export type ToolProgress = { type: "append"; phase?: string; text: string } | { type: "reset" };

export type NewArtifact = { name: string; mediaType: string; bytes: Uint8Array };

/** Stores a file for the call that made it. Rejects when the file cannot be stored. */
export type SaveArtifact = (
  call: Pick<ToolContext, "chatId" | "ownerId" | "toolCallId">,
  file: NewArtifact,
) => Promise<Artifact>;

/**
 * Asks the turn's advisor on behalf of one call.
 *
 * @throws when the turn is stopped; everything else is a result.
 */
export type Advise = (
  question: string,
  call: Pick<ToolContext, "toolCallId" | "emit" | "signal">,
) => Promise<AdvisorResult>;

/** All that a tool may know and reach; made for one call and never changed. */
export type ToolContext = Readonly<{
  chatId: string;
  rootChatId: string;
  /** The user for whom the turn runs. */
  userId: string;
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
  workspace: Workspace;
  /** Undefined when the chat has no advisor, or the call is of no step of this turn. */
  advise?: Advise | undefined;
  saveArtifact: (file: NewArtifact) => Promise<Artifact>;
}>;

/** What the calls of one step have in common, and how they reach the rest of the app. */
export type CallSeams = Omit<ToolContext, "toolCallId" | "emit" | "saveArtifact"> & {
  emit: (op: PreviewOp) => void;
  saveArtifact: (file: NewArtifact & { toolCallId: string }) => Promise<Artifact>;
  /** Budget of the text that the model gets of one result. */
  maxOutputBytes: number;
};

/** @returns the call's context, and how to close it: nothing is emitted after that. */
export const openToolContext = (
  seams: CallSeams,
  toolCallId: string,
): { context: ToolContext; close: () => void } => {
  const { emit, saveArtifact, maxOutputBytes, ...shared } = seams;
  void maxOutputBytes;
  let open = true;
  const context = Object.freeze({
    ...shared,
    toolCallId,
    emit: (progress: ToolProgress) => {
      if (open) emit(previewOp(toolCallId, progress));
    },
    saveArtifact: (file: NewArtifact) => saveArtifact({ ...file, toolCallId }),
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
