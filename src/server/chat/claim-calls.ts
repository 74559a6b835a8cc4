import { DomainError } from "@/contract/domain-error";
import { isRunByClient } from "@/contract/run-by-client";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import {
  listAllowedTools,
  listAllowedToolsets,
  requireAllowedTool,
} from "@/server/credential-rights";
import {
  type Claimant,
  claimCall,
  claimCalls,
  findNextOffer,
  resumeClaims,
} from "@/server/db/sql/machine/call-claims";
import { findCall } from "@/server/db/sql/reads/call-reads";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import type { CallFilter, ListedCallRow } from "@/server/db/sql/reads/open-call-reads";
import { unknownChat } from "@/server/machine/lock-chat";
import { requireAnswerRight } from "./answer-right";
import {
  isAwaited,
  refuseBusy,
  refuseCall,
  refuseClaimed,
  requireRestored,
  unknownCall,
} from "./call-refusals";

type Claim = Pick<Claimant, "holder" | "leaseSeconds">;

/** A call, and whether the program had claimed it before, so that it may have begun it. */
export type ClaimedRow = ListedCallRow & { isResumed: boolean };

/** What a program gets. */
export type Claimed = {
  calls: ClaimedRow[];
  /** In how many seconds a call is offered that was given back for a time; undefined if there is none, or if it has got some. */
  nextInSeconds?: number | undefined;
};

/** Other programs may take calls of a chat while this one looks at it; each failure is the success of another. */
const MAX_TRIES = 5;

/**
 * Claims the oldest open calls that nobody holds, across the chats of the actor and their agents.
 *
 * @param wanted.resume also those that the program holds already, with new tokens.
 * @param wanted.filter of `limitFilter`.
 * @returns no calls, if none is free.
 */
export const claimOpenCalls = async (
  ctx: ServerContext,
  { resume, ...wanted }: Claim & { filter: CallFilter; limit: number; resume: boolean },
): Promise<Claimed> => {
  const request = {
    ...wanted,
    viewer: ctx.actor,
    credential: actorId(ctx.actor),
  };
  const held = resume ? await resumeClaims(ctx.db, request) : [];
  const resumed = held.map((call) => ({ ...call, isResumed: true }));
  const limit = wanted.limit - resumed.length;
  let nextInSeconds: number | undefined;
  for (let tries = 0; limit > 0 && tries < MAX_TRIES; tries += 1) {
    const claimed = await claimCalls(ctx.db, { ...request, limit });
    if (claimed.length > 0)
      return { calls: [...resumed, ...claimed.map((call) => ({ ...call, isResumed: false }))] };
    nextInSeconds = await findNextOffer(ctx.db, request);
    if (nextInSeconds !== 0) break;
  }
  return { calls: resumed, nextInSeconds };
};

/**
 * Limits what a program asks for to what its key may answer.
 *
 * @throws {DomainError} `forbidden` for a tool by name that it may not.
 */
export const limitFilter = (actor: Actor, filter: CallFilter): CallFilter => {
  for (const toolName of filter.tools ?? []) {
    requireAllowedTool(actor, { toolName, ...(filter.toolset && { kind: "toolset" }) });
  }
  const { credential } = actor;
  return {
    ...filter,
    allowed: listAllowedTools(credential),
    allowedToolsets: listAllowedToolsets(credential),
  };
};

type OneCall = Claim & { chatId: string; toolCallId: string; messageId: string | undefined };

/**
 * Claims one call.
 *
 * @throws {DomainError} in this order: `not_found`; `forbidden` for a call that the key may not answer; `conflict` for an archived chat, a call that is not open, one that another
 *   program holds.
 */
export const claimOpenCall = async (ctx: ServerContext, call: OneCall): Promise<ListedCallRow> => {
  const viewer = ctx.actor;
  const request = {
    ...call,
    messageId: call.messageId ?? null,
    viewer,
    filter: limitFilter(viewer, {}),
    credential: actorId(viewer),
  };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const claimed = await claimCall(ctx.db, request);
    if (claimed) return claimed;
    await requireFree(ctx, call);
  }
  throw refuseBusy();
};

const requireFree = async (ctx: ServerContext, call: OneCall): Promise<void> => {
  const { chatId, toolCallId, messageId } = call;
  const read = await readChatWithCalls(ctx.db, { chatId, viewer: ctx.actor });
  if (!read) throw unknownChat(chatId);
  const found = await findCall(ctx.db, { chatId, toolCallId, viewer: ctx.actor });
  if (!found) throw unknownCall(toolCallId);
  requireAnswerRight(ctx.actor, found.call);
  requireRestored(read.chat);
  if (!isAwaited(found, messageId)) throw refuseCall(found, messageId);
  if (!isRunByClient(found.call.kind)) throw refuseQuestion();
  if (read.chat.status !== "requires_action") throw refuseBusy();
  if (found.claim) throw refuseClaimed(found, found.claim);
};

const refuseQuestion = (): DomainError =>
  new DomainError("conflict", "The call asks a person a question. No program can claim it.", {
    reason: "call_not_awaited",
    shouldRetry: false,
  });
