import type { CallProgress } from "@/contract/call";
import type { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { type Lease, offerCall, renewClaim } from "@/server/db/sql/machine/call-claims";
import type { Queryable } from "@/server/db/connection/database";
import { findCall } from "@/server/db/sql/reads/call-reads";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { lockActorsChat, unknownChat } from "@/server/machine/lock-chat";
import { requireAnswerRight } from "./answer-right";
import { isAwaited, refuseCall, refuseLost, unknownCall } from "./call-refusals";

/** A claim as its holder names it. */
type HeldClaim = { chatId: string; toolCallId: string; token: string };

/**
 * Renews the lease of a claim, and takes what the program says of its progress.
 *
 * @throws {DomainError} `not_found`; `conflict` for a call that is answered or closed, and for a claim that is lost.
 */
export const renewCallClaim = async (
  ctx: ServerContext,
  claim: HeldClaim & { leaseSeconds: number | undefined; progress: CallProgress | undefined },
): Promise<Lease> => {
  const lease = await renewClaim(ctx.db, { ...claim, viewer: ctx.actor });
  if (lease) return lease;
  if (!(await readChatWithCalls(ctx.db, { chatId: claim.chatId, viewer: ctx.actor })))
    throw unknownChat(claim.chatId);
  throw await refuseToken(ctx, ctx.db, claim);
};

/**
 * Gives a claimed call back, so that other programs can claim it.
 *
 * @throws {DomainError} as `renewCallClaim`.
 */
export const releaseCallClaim = (
  ctx: ServerContext,
  claim: HeldClaim & { retryAfterSeconds: number },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await lockActorsChat(tx, ctx, claim.chatId);
    if (!(await offerCall(tx, claim))) throw await refuseToken(ctx, tx, claim);
  });

/** @returns why the token is none of a claim. */
const refuseToken = async (
  { actor }: ServerContext,
  db: Queryable,
  { chatId, toolCallId }: HeldClaim,
): Promise<DomainError> => {
  const found = await findCall(db, { chatId, toolCallId, viewer: actor });
  if (!found) return unknownCall(toolCallId);
  requireAnswerRight(actor, found.call);
  return isAwaited(found, undefined) ? refuseLost(found) : refuseCall(found, undefined);
};
