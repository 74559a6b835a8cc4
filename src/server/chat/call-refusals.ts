import { DomainError } from "@/contract/domain-error";
import type { ProblemCall } from "@/contract/problem";
import { type ChatRow, OPEN_CALL_STATES } from "@/server/db/chats/rows";
import type { FoundCall } from "@/server/db/sql/reads/call-reads";

/** @throws {DomainError} `conflict` for an archived chat. */
export const requireRestored = ({ archivedAt }: Pick<ChatRow, "archivedAt">): void => {
  if (archivedAt === null) return;
  throw new DomainError("conflict", "The chat is archived. Restore it to answer its calls.", {
    reason: "chat_archived",
    shouldRetry: false,
  });
};

/** Whether a client may answer a call: the one of the message that the client names, if it does. */
export const isAwaited = (
  { call, isReplaced }: FoundCall,
  messageId: string | undefined,
): boolean =>
  !isReplaced &&
  call.state === "awaiting_result" &&
  (messageId === undefined || call.messageId === messageId);

/** Of a call that is open: a chat takes results once all that the server runs in its step has ended. */
export const refuseBusy = (): DomainError =>
  new DomainError(
    "conflict",
    "The chat still runs other calls of this step. Send the request again in a moment.",
    { reason: "chat_busy", retryAfterSeconds: 1 },
  );

export const unknownCall = (toolCallId: string): DomainError =>
  new DomainError("not_found", `The chat has no call "${toolCallId}".`, {
    errors: [{ pointer: "/tool_call_id", message: "is no call of the chat" }],
  });

/** @returns why a call that is not awaited takes no result. */
export const refuseCall = (
  { call, isReplaced }: FoundCall,
  messageId: string | undefined,
): DomainError => {
  const about = { call: toProblemCall(call), shouldRetry: false };
  if (isReplaced || (messageId !== undefined && call.messageId !== messageId)) {
    const detail =
      "The call is not open any more: its message was replaced, or the chat has gone on.";
    return new DomainError("conflict", detail, { ...about, reason: "call_closed" });
  }
  if (OPEN_CALL_STATES.has(call.state)) {
    const waitsFor =
      call.state === "awaiting_approval" ? "waits for an approval" : "is run by the server";
    return new DomainError("conflict", `The call takes no result: it ${waitsFor}.`, {
      ...about,
      reason: "call_not_awaited",
    });
  }
  if (call.resolvedBy === null || call.resolvedBy === "worker" || call.state === "cancelled") {
    const detail = `The call is closed: it ${CLOSED[call.state] ?? "ended"} before this result came.`;
    return new DomainError("conflict", detail, { ...about, reason: "call_closed" });
  }
  return new DomainError("conflict", "The call has another result already.", {
    ...about,
    reason: "call_answered",
  });
};

const CLOSED: Partial<Record<FoundCall["call"]["state"], string>> = {
  cancelled: "was cancelled",
  timed_out: "timed out",
};

const toProblemCall = ({ state, resolvedBy, completedAt }: FoundCall["call"]): ProblemCall => ({
  state,
  resolved_by: resolvedBy,
  resolved_at: completedAt?.toISOString() ?? null,
});
