import type { Chat, ChatStatus } from "@/contract/chat";
import type { ChatNotice } from "@/server/stream/notifications";
import { createWaker } from "@/server/stream/waker";
import { findChat } from "./chat-output";
import type { OperationContext } from "./operation-context";

/** Whether a chat in this status does nothing by itself until a client does something. */
const IS_SETTLED: Record<ChatStatus, boolean> = {
  waiting: true,
  pending: false,
  running: false,
  interrupting: false,
  requires_action: true,
  awaiting_agents: false,
  error: true,
};

/**
 * Waits until a chat rests, has failed, or waits for a client, itself or by one of its agents. Reads the chat at the
 * beginning, and then only when a notification says that this may have come.
 *
 * @returns the chat as it is then, or when the signal is aborted.
 * @throws {DomainError} `not_found`, also when the chat is deleted meanwhile.
 */
export const waitForChat = async (
  ctx: OperationContext,
  chatId: string,
  signal: AbortSignal,
): Promise<Chat> => {
  const { notifications } = ctx;
  // PostgreSQL writes UUIDs in lower case, in notifications too.
  const id = chatId.toLowerCase();
  const waker = createWaker();
  const handleNotice = (notice: ChatNotice | undefined): void => {
    if (!notice || isWorthReading(notice)) waker.wake();
  };
  const unsubscribes = [
    notifications.subscribe(id, handleNotice),
    notifications.subscribeChildren(id, handleNotice),
  ];
  signal.addEventListener("abort", waker.wake);
  try {
    await notifications.ready();
    for (;;) {
      const isOver = signal.aborted;
      const chat = await findChat(ctx, id);
      if (isOver || IS_SETTLED[chat.status] || chat.child_actions.length > 0) return chat;
      await waker.sleep();
    }
  } finally {
    signal.removeEventListener("abort", waker.wake);
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
};

const isWorthReading = ({ status }: ChatNotice): boolean =>
  status === "deleted" || (status !== "read" && IS_SETTLED[status]);
