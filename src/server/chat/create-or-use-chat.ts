import type { BusyBehavior, IfExists } from "@/contract/chat-inputs";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { ChatRow } from "@/server/db/chats/rows";
import { type CreateChat, createChat } from "./create-chat";
import { type SentMessage, sendMessage } from "./send-message";

type CreateOrUseChat = CreateChat & {
  /** What happens if a chat has the external id already. */
  ifExists?: IfExists | undefined;
  busyBehavior?: BusyBehavior | undefined;
};

/** A new chat, or the id of the one that has the external id already, with what was sent to it. */
type CreatedOrUsedChat = { chat: ChatRow } | { existingId: string; sent?: SentMessage };

/**
 * Makes a chat, or uses the one that has its external id already, which keeps its settings. Of requests at the same time, one
 * makes the chat and the others use it.
 *
 * @throws {DomainError} as `createChat` and `sendMessage`.
 */
export const createOrUseChat = async (
  ctx: ServerContext,
  { ifExists = "conflict", busyBehavior = "queue", ...input }: CreateOrUseChat,
): Promise<CreatedOrUsedChat> => {
  try {
    return { chat: await createChat(ctx, input) };
  } catch (error) {
    const existingId = findTaken(error);
    if (existingId === undefined || ifExists === "conflict") throw error;
    if (ifExists === "return") return { existingId };
    const sent = await trySend(ctx, { ...input, chatId: existingId, busyBehavior });
    // Without the chat, which was deleted meanwhile, its external id is free.
    return sent ? { existingId, sent } : createOrUseChat(ctx, { ifExists, busyBehavior, ...input });
  }
};

const findTaken = (error: unknown): string | undefined =>
  error instanceof DomainError && error.reason === "external_id_taken" ? error.chatId : undefined;

type SendToChat = Pick<CreateChat, "content" | "responseFormat"> & {
  chatId: string;
  busyBehavior: BusyBehavior;
};

/** @returns undefined when the chat is deleted. */
const trySend = async (
  ctx: ServerContext,
  { chatId, content = [], busyBehavior, responseFormat }: SendToChat,
): Promise<SentMessage | undefined> => {
  try {
    return await sendMessage(ctx, { chatId, content, busyBehavior, responseFormat });
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return undefined;
    throw error;
  }
};
