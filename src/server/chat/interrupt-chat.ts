import { actorId, type ServerContext } from "@/server/context";
import type { ChatRow } from "@/server/db/chats/rows";
import { hasOpenAgents } from "@/server/db/tasks/agent-reads";
import type { Transaction } from "@/server/db/connection/database";
import { isResting } from "@/server/agents/agent-outcome";
import { stopAgents } from "@/server/agents/direct-agents";
import { checkCancelledCalls } from "./check-cancelled-calls";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { applyTransition } from "@/server/machine/transition";

/**
 * Stops the turn and the agents of the chat, and pauses the queue; the worker keeps the partial answer. A parked chat
 * becomes `waiting` at once, without another model call. A chat that rests while its agents work stays as it is.
 *
 * @throws {DomainError} `not_found`, or `conflict` when there is nothing to stop or other calls than `cancelCalls` are open.
 */
export const interruptChat = (
  ctx: ServerContext,
  input: { chatId: string; cancelCalls?: readonly string[] | undefined },
): Promise<ChatRow> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    await checkCancelledCalls(tx, ctx, { chat, cancelCalls: input.cancelCalls });
    const applied = await applyTransition(tx, chat, {
      event: (await isRestingWithAgents(tx, chat)) ? "stop_agents" : "interrupt",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "interrupted",
    });
    await stopAgents(tx, chat, { newId: ctx.newId, by: actorId(ctx.actor) });
    return applied.chat;
  });

const isRestingWithAgents = async (tx: Transaction, chat: ChatRow): Promise<boolean> =>
  isResting(chat) && (await hasOpenAgents(tx, chat.id));
