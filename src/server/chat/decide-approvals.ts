import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import { insertApprovalRules } from "@/server/db/approval-rule-writes";
import { answerCalls, approveCalls } from "@/server/db/call-writes";
import { findRootChatId } from "@/server/db/chat-existence-reads";
import type { Transaction } from "@/server/db/database";
import { type OpenCallRow, waitsForClient } from "@/server/db/rows";
import { lockChat } from "@/server/db/sql/chat-locks";
import { readChatWithCalls } from "@/server/db/sql/chat-reads";
import { settle } from "@/server/tools/settle";
import { requireOutcome } from "@/server/state-machine/require-outcome";
import { lockActorsChat } from "./lock-chat";
import { commitAndExit, toClosedCalls } from "./exit-calls";
import { findRejections, renderRejections } from "./reject-calls";
import { applyTransition } from "./transition";

export type Decision = {
  toolCallId: string;
  decision: "approve" | "reject";
  reason?: string | undefined;
  /** `chat` approves later calls with the same scope too, in the whole family of the chat. */
  scope?: "call" | "chat" | undefined;
};

/**
 * Approves or rejects calls that await approval. The chat stays parked until no call is open any
 * more, then it continues. A rule for the chat is committed with the decision.
 *
 * @throws {DomainError} `not_found`, `conflict` unless the chat waits for something, `invalid`
 *   for a duplicate id or one that awaits no decision.
 */
export const decideApprovals = async (
  ctx: ServerContext,
  input: { chatId: string; decisions: Decision[] },
): Promise<void> => {
  // Before the chat is locked: a tool may read the database, and its own functions may take their time.
  const rejections = await findRejections(ctx, input);
  await commitDecisions(ctx, input, await renderRejections(rejections));
};

/** @param notes what the model reads of rejected calls besides the reasons, by their ids. */
const commitDecisions = (
  ctx: ServerContext,
  input: { chatId: string; decisions: Decision[] },
  notes: ReadonlyMap<string, string>,
): Promise<void> =>
  commitAndExit(ctx, async (tx) => {
    if (input.decisions.some(({ scope }) => scope === "chat"))
      await lockRoot(tx, ctx, input.chatId);
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    requireOutcome(chat, "decide_some");
    const read = await readChatWithCalls(tx, { chatId: chat.id, viewer: ctx.actor });
    const open = read?.openCalls ?? [];
    checkDecisions(input.decisions, new Set(undecidedIds(open)));
    const by = actorId(ctx.actor);
    const revision = chat.version + 1;
    const approved = input.decisions.filter(({ decision }) => decision === "approve");
    const rejected = input.decisions.filter(({ decision }) => decision === "reject");
    await approveCalls(tx, {
      chatId: chat.id,
      revision,
      resolvedBy: by,
      toolCallIds: approved.map(({ toolCallId }) => toolCallId),
    });
    const lasting = approved.filter(({ scope }) => scope === "chat");
    await insertApprovalRules(tx, {
      chatId: chat.rootChatId,
      createdBy: by,
      rules: lasting.map(({ toolCallId }) => toRule(ctx.newId(), requireCall(open, toolCallId))),
    });
    await answerCalls(tx, {
      chatId: chat.id,
      revision,
      resolvedBy: by,
      answers: rejected.map(({ toolCallId, reason }) => ({
        toolCallId,
        ...settle({ type: "denied", reason, by, note: notes.get(toolCallId) }),
      })),
    });
    const waiting = open.filter(waitsForClient).length;
    await applyTransition(tx, chat, {
      event: waiting > input.decisions.length ? "decide_some" : "decide_last",
      newId: ctx.newId,
      by,
      closeReason: "superseded",
      written: { historyChanged: true },
    });
    const closed = rejected.map(({ toolCallId }) => requireCall(open, toolCallId));
    return { closed: toClosedCalls(chat.id, closed), result: undefined };
  });

/**
 * A rule belongs to the root chat, which is locked before its children, as where a family is archived or
 * deleted: in the other order the two would wait for each other.
 */
const lockRoot = async (tx: Transaction, ctx: ServerContext, chatId: string): Promise<void> => {
  const rootChatId = await findRootChatId(tx, { chatId, viewer: ctx.actor });
  if (rootChatId !== undefined) await lockChat(tx, rootChatId);
};

const requireCall = (open: readonly OpenCallRow[], id: string): OpenCallRow => {
  const call = open.find(({ toolCallId }) => toolCallId === id);
  if (!call) throw new Error(`the call "${id}" was decided without being open`);
  return call;
};

const toRule = (id: string, { toolName, approvalScope }: OpenCallRow) => ({
  id,
  toolName,
  scope: approvalScope,
});

const undecidedIds = (open: { toolCallId: string; state: string }[]): string[] =>
  open.filter(({ state }) => state === "awaiting_approval").map(({ toolCallId }) => toolCallId);

const checkDecisions = (decisions: Decision[], undecided: Set<string>): void => {
  const seen = new Set<string>();
  const errors = decisions.flatMap(({ toolCallId }, index) => {
    const twice = seen.has(toolCallId);
    seen.add(toolCallId);
    const pointer = `/decisions/${index}/tool_call_id`;
    if (twice) return [{ pointer, message: `is given twice: "${toolCallId}"` }];
    if (undecided.has(toolCallId)) return [];
    return [{ pointer, message: `waits for no decision: "${toolCallId}"` }];
  });
  if (errors.length === 0) return;
  throw new DomainError("invalid", "Some decisions do not fit the calls that wait for one.", {
    errors,
  });
};
