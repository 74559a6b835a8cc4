import type { BusyBehavior } from "@/contract/chat-inputs";
import type { Content } from "@/contract/content";
import type { Mentions } from "@/contract/group";
import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import { actorId, type ServerContext } from "@/server/context";
import type { ChatRow, MessageRow, QueuedMessageRow } from "@/server/db/chats/rows";
import type { LockedEvent } from "@/server/db/sql/machine/locked-transition";
import { checkCancelledCalls } from "./check-cancelled-calls";
import { requireMentioned } from "@/server/settings/chosen-tools";
import { lockFiles, takeFiles } from "./message-files";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { meterWaits } from "@/server/machine/meter-tasks";
import { requireModel } from "./require-model";
import { applyTransition } from "@/server/machine/transition";

export type SendMessage = {
  chatId: string;
  content: Content;
  busyBehavior: BusyBehavior;
  /** Ids of the open calls that `interrupt` may cancel; all by default. */
  cancelCalls?: readonly string[] | undefined;
  modelId?: string | undefined;
  mentions?: Mentions | undefined;
  /** For the turn of the message. */
  parameters?: ChatParameters | undefined;
  /** Of the last answer of its turn. */
  responseFormat?: ResponseFormat | undefined;
};

/** Where the message went, into the history at once or into the queue, and the version of the chat that has it. */
export type SentMessage = { version: number } & (
  { queued: false; message: MessageRow } | { queued: true; queuedMessage: QueuedMessageRow }
);

const EVENT: Record<BusyBehavior, LockedEvent> = {
  queue: "send",
  interrupt: "send_interrupt",
  reject: "send_reject",
  steer: "send",
};

/**
 * Sends a message to a chat. A busy chat queues it, for the end of its turn or for its next model call, interrupts
 * itself for it, or refuses it.
 *
 * @throws {DomainError} `not_found`, `conflict` (archived, busy with `reject`, or other calls are open), `limit_exceeded`
 *   when the queue is full or files leave no room, `invalid` when the model, a file, or what is mentioned, is unknown.
 */
export const sendMessage = async (ctx: ServerContext, input: SendMessage): Promise<SentMessage> => {
  const modelId = await requireModel(ctx.db, input.modelId);
  await requireMentioned(ctx, input.mentions);
  const { sent, waits } = await ctx.db.transaction(async (tx) => {
    await lockFiles(tx, ctx, input.content);
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    if (input.busyBehavior === "interrupt") {
      await checkCancelledCalls(tx, ctx, { chat, cancelCalls: input.cancelCalls });
    }
    const content = await takeFiles(tx, ctx, { chat, content: input.content });
    const {
      chat: changed,
      entered,
      joined,
      waits,
    } = await applyTransition(tx, chat, {
      event: toEvent(chat, input.busyBehavior),
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      message: {
        content,
        modelId: modelId ?? null,
        mentions: input.mentions,
        steers: input.busyBehavior === "steer",
        parameters: input.parameters,
        responseFormat: input.responseFormat,
      },
    });
    return { sent: { version: changed.version, ...toSentMessage(entered, joined) }, waits };
  });
  meterWaits(waits);
  return sent;
};

/** A queued agent has no turn yet; an interrupt would begin one above the limit of those that run. */
const toEvent = ({ agentQueued }: ChatRow, busyBehavior: BusyBehavior): LockedEvent =>
  EVENT[agentQueued && busyBehavior === "interrupt" ? "queue" : busyBehavior];

const toSentMessage = (entered: MessageRow | undefined, joined: QueuedMessageRow | undefined) => {
  if (joined) return { queued: true as const, queuedMessage: joined };
  if (!entered) throw new Error("a sent message went nowhere");
  return { queued: false as const, message: entered };
};
