import { DomainError } from "@/contract/domain-error";
import type { ProblemCall } from "@/contract/problem";
import { type ChatRow, OPEN_CALL_STATES } from "@/server/db/chats/rows";
import type { CallClaimRow } from "@/server/db/chats/rows";
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
  { call, isReplaced }: Pick<FoundCall, "call" | "isReplaced">,
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

/** Of a call that another program works on, or a result without the token of that program's claim. */
export const refuseClaimed = (
  { call }: Pick<FoundCall, "call">,
  claim: CallClaimRow,
): DomainError =>
  new DomainError(
    "conflict",
    `The call is claimed by "${claim.holder}". Send the token of its claim, or claim it when the lease has ended.`,
    {
      reason: "call_claimed",
      call: toProblemCall({ call, claim }),
      retryAfterSeconds: Math.max(claim.secondsLeft ?? 1, 1),
    },
  );

/** Of a token that is not, or no longer, of a claim of the call. */
export const refuseLost = (found: Pick<FoundCall, "call" | "claim">): DomainError =>
  new DomainError(
    "conflict",
    "The lease of this claim has ended, and the token is void. Stop working on the call, or claim it again.",
    { reason: "lease_lost", call: toProblemCall(found), shouldRetry: false },
  );

/** @returns why a call that is not awaited takes no result. */
export const refuseCall = (found: FoundCall, messageId: string | undefined): DomainError => {
  const { call, isReplaced } = found;
  const about = { call: toProblemCall(found), shouldRetry: false };
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

const toProblemCall = ({ call, claim }: Pick<FoundCall, "call" | "claim">): ProblemCall => ({
  state: call.state,
  resolved_by: call.resolvedBy,
  resolved_at: call.completedAt?.toISOString() ?? null,
  claim: claim && { holder: claim.holder, expires_at: claim.expiresAt.toISOString() },
});
