import { DomainError } from "@/contract/domain-error";
import type { JsonObject } from "@/contract/json";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import { approveCalls, saveOutcomes } from "@/server/db/sql/machine/call-writes";
import { requireAllowedTool } from "@/server/credential-rights";
import { findRootChatId } from "@/server/db/chats/chat-existence-reads";
import type { Transaction } from "@/server/db/connection/database";
import { type ChatRow, type OpenCallRow, waitsForClient } from "@/server/db/chats/rows";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { settle } from "@/server/tools/settle";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import {
  type AnsweredChat,
  checkEach,
  findAnsweredChats,
  findHadCalls,
  lockAnsweredChats,
  unknownAnswered,
} from "./answered-chats";
import { checkEdits, type EditedCall, requireEdits } from "./edited-calls";
import {
  findRuleTools,
  type Lasting,
  type RuleTools,
  requireRules,
  requireRuleRight,
  writeRules,
} from "./lasting-approvals";
import { findRejections, renderRejections } from "./reject-calls";
import { applyTransition } from "@/server/machine/transition";

export type Decision = Lasting & {
  /** The chat of the call, if it is an agent of the chat of the request. */
  chatId?: string | undefined;
  decision: "approve" | "reject";
  /** What an approved call runs with instead of the model's arguments. */
  args?: JsonObject | undefined;
  reason?: string | undefined;
};

type Decided = AnsweredChat<Decision> & {
  /** What the model reads of rejected calls besides the reasons, by their ids. */
  notes: ReadonlyMap<string, string>;
  edited: ReadonlyMap<string, EditedCall>;
  tools: RuleTools;
};

/** A locked chat with the calls that it waits for. */
type Locked = Decided & { chat: ChatRow; open: readonly OpenCallRow[]; hadCalls: boolean };

/**
 * Approves or rejects calls that await approval. The chat stays parked until no call is open any
 * more, then it continues. A rule for later calls is committed with the decision. Decisions for several chats of a family
 * are taken together, or none of them (docs/adr/0092-answer-several-agents-in-one-transaction.md).
 *
 * @throws {DomainError} `forbidden` for a rule that the caller may not make and for a tool of which a key is not, `not_found`, `conflict` unless the chat waits for something, `invalid`
 *   for a duplicate id, one that awaits no decision, changed arguments that do not fit their tool, or a pattern that
 *   does not fit its call.
 */
export const decideApprovals = async (
  ctx: ServerContext,
  { chatId, decisions }: { chatId: string; decisions: Decision[] },
): Promise<void> => {
  requireRuleRight(ctx.actor, decisions);
  const chats = await findAnsweredChats(ctx, { chatId, list: "decisions", entries: decisions });
  const tools = await findRuleTools(ctx, decisions);
  const decided: Decided[] = [];
  // Runs before the chats are locked, because a tool or its schema may read the database and take long.
  for (const chat of chats) {
    const rejections = await findRejections(ctx, { ...chat, decisions: chat.entries });
    decided.push({
      ...chat,
      notes: await renderRejections(rejections),
      edited: await checkEdits(ctx, chat),
      tools,
    });
  }
  await ctx.db.transaction(async (tx) => {
    if (decisions.some(({ scope }) => scope === "chat")) await lockRoot(tx, ctx, chatId);
    const locked = await lockDecided(tx, ctx, decided);
    checkEach(locked, ({ chat, open, entries, edited, hadCalls, tools: ruleTools }) => {
      requireDecisionRight(ctx.actor, { entries, open });
      requireOutcome({ ...chat, hadCalls }, "decide_some");
      checkDecisions(entries, new Set(undecidedIds(open)));
      requireEdits(edited, { entries, open });
      requireRules(entries, { tools: ruleTools, open, edited });
    });
    for (const chat of locked) await writeDecisions(tx, ctx, chat);
  });
};

/** @throws {DomainError} `forbidden` for a key that is restricted to other tools. */
const requireDecisionRight = (
  actor: Actor,
  { entries, open }: Pick<Locked, "entries" | "open">,
): void => {
  const ids = new Set(entries.map(({ toolCallId }) => toolCallId));
  for (const call of open) if (ids.has(call.toolCallId)) requireAllowedTool(actor, call);
};

/** @throws {DomainError} `not_found`. */
const lockDecided = async (
  tx: Transaction,
  ctx: ServerContext,
  decided: readonly Decided[],
): Promise<Locked[]> => {
  const chats = await lockAnsweredChats(tx, ctx, decided);
  const locked: Locked[] = [];
  for (const each of decided) {
    const chat = chats.get(each.chatId);
    if (!chat) throw unknownAnswered(each);
    const read = await readChatWithCalls(tx, { chatId: chat.id, viewer: ctx.actor });
    const open = read?.openCalls ?? [];
    locked.push({ ...each, chat, open, hadCalls: await findHadCalls(tx, chat) });
  }
  return locked;
};

const writeDecisions = async (
  tx: Transaction,
  ctx: ServerContext,
  { chat, open, entries, notes, edited, tools }: Locked,
): Promise<void> => {
  const by = actorId(ctx.actor);
  const revision = chat.version + 1;
  const approved = entries.filter(({ decision }) => decision === "approve");
  const rejected = entries.filter(({ decision }) => decision === "reject");
  await approveCalls(tx, {
    chatId: chat.id,
    revision,
    resolvedBy: by,
    calls: approved.map(({ toolCallId }) =>
      toApproved(requireCall(open, toolCallId), edited.get(toolCallId)),
    ),
  });
  await writeRules(tx, ctx, { chat, entries: approved, tools, open, edited });
  await saveOutcomes(tx, {
    chatId: chat.id,
    revision,
    outcomes: rejected.map(({ toolCallId, reason }) => ({
      toolCallId,
      ...settle({ type: "denied", reason, by, note: notes.get(toolCallId) }),
    })),
  });
  const waiting = open.filter(waitsForClient).length;
  await applyTransition(tx, chat, {
    event: waiting > entries.length ? "decide_some" : "decide_last",
    newId: ctx.newId,
    by,
    closeReason: "superseded",
    written: { historyChanged: true },
  });
  const calls = rejected.map(({ toolCallId }) => requireCall(open, toolCallId));
  tx.reportEnded({ chatId: chat.id, calls });
};

/**
 * A rule belongs to the root chat. All transactions lock a root chat before its children; in the other order, this
 * one and a deletion of the family could wait for each other.
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

/** What is approved of a call: what the person has made of it. */
const toApproved = ({ toolCallId, approvalScope }: OpenCallRow, edit: EditedCall | undefined) =>
  edit
    ? { toolCallId, approvedArgs: edit.args, approvalScope: edit.approvalScope }
    : { toolCallId, approvedArgs: null, approvalScope };

const undecidedIds = (open: readonly OpenCallRow[]): string[] =>
  open.filter(({ state }) => state === "awaiting_approval").map(({ toolCallId }) => toolCallId);

const checkDecisions = (
  decisions: readonly (Decision & { index: number })[],
  undecided: ReadonlySet<string>,
): void => {
  const seen = new Set<string>();
  const errors = decisions.flatMap(({ toolCallId, index }) => {
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
