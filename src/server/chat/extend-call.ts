import { DomainError } from "@/contract/domain-error";
import { MAX_ACTION_TIMEOUT_SECONDS } from "@/contract/limits";
import type { ServerContext } from "@/server/context";
import { saveDeadline } from "@/server/db/sql/machine/call-deadlines";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { findCall } from "@/server/db/sql/reads/call-reads";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { requireAnswerRight } from "./answer-right";
import { isAwaited, refuseBusy, refuseCall, requireRestored, unknownCall } from "./call-refusals";

type Extension = { chatId: string; toolCallId: string; deadlineAt: Date };

/**
 * Changes the deadline of a call that waits for its result.
 *
 * @throws {DomainError} in this order: `invalid` for a time that has passed or is too far away; `not_found`;
 *   `forbidden` for a call that the key may not answer; `conflict` for
 *   an archived chat and a call that waits for no result.
 */
export const extendCall = async (ctx: ServerContext, extension: Extension): Promise<void> => {
  checkTime(extension.deadlineAt, await readClock(ctx.db));
  await ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, extension.chatId);
    const found = await findCall(tx, { ...extension, viewer: ctx.actor });
    if (!found) throw unknownCall(extension.toolCallId);
    requireAnswerRight(ctx.actor, found.call);
    requireRestored(chat);
    if (!isAwaited(found, undefined)) throw refuseCall(found, undefined);
    if (chat.status !== "requires_action") throw refuseBusy();
    await saveDeadline(tx, extension);
  });
};

const checkTime = (deadlineAt: Date, now: Date): void => {
  const seconds = (deadlineAt.getTime() - now.getTime()) / 1_000;
  if (seconds > 0 && seconds <= MAX_ACTION_TIMEOUT_SECONDS) return;
  const message = "must be after now and at most 30 days from now";
  throw new DomainError("invalid", `/deadline_at ${message}.`, {
    errors: [{ pointer: "/deadline_at", message }],
  });
};
