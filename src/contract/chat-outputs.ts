import * as z from "zod";
import { Agent } from "./agent";
import { Chat, ChatLink, ChatSnapshot, ChatSummary } from "./chat";
import { FoundMessage, Message, QueuedMessage } from "./message";
import { Model } from "./model";
import { Task } from "./task";

export const ChatPage = z.object({
  data: z.array(ChatSummary),
  next_cursor: z.string().optional(),
});
export type ChatPage = z.infer<typeof ChatPage>;

export const MessagePage = z.object({
  /** Ascending by `seq`. */
  data: z.array(Message),
  queued: z.array(QueuedMessage),
  has_more: z.boolean(),
  /** The chat's version at the moment of the page: the cursor from which its stream goes on. */
  version: z.int(),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** A page may have no messages and a next page, as the time of each is limited. */
export const FoundMessages = z.object({
  /** Descending by `seq`. */
  data: z.array(FoundMessage),
  /** The `before` of the next page; null after the first message of the chat. */
  next_before: z.int().nullable(),
});
export type FoundMessages = z.infer<typeof FoundMessages>;

/** A chat and its newest messages of one moment: `chat.version` is the cursor from which its stream goes on. */
export const OpenedChat = z.object({
  chat: ChatSnapshot,
  /** Ascending by `seq`. */
  data: z.array(Message),
  has_more: z.boolean(),
  /** Those that have not ended, the oldest first. */
  tasks: z.array(Task),
  /** The agents that it has started, the oldest first. */
  agents: z.array(Agent),
  /** The chat that it is a fork of; null for other chats, and once that is deleted. */
  origin: ChatLink.nullable(),
  /** Its newest forks, the newest first. */
  forks: z.array(ChatLink),
});
export type OpenedChat = z.infer<typeof OpenedChat>;

const SENT = {
  /** The chat's version with the message: what follows is in its stream after the version before. */
  version: z.int(),
  /** The chat when the wait of `Prefer: wait=N` has ended. */
  chat: Chat.optional(),
};

export const SendMessageOutput = z.discriminatedUnion("queued", [
  z.object({ queued: z.literal(false), message: Message, ...SENT }),
  z.object({ queued: z.literal(true), queued_message: QueuedMessage, ...SENT }),
]);
export type SendMessageOutput = z.infer<typeof SendMessageOutput>;

/** The chat that has the `external_id` of a request already, and what the request has sent to it. */
export const ExistingChat = z
  .object({
    chat: Chat,
    message: Message.optional(),
    queued_message: QueuedMessage.optional(),
    /** Its version with the message; absent if nothing was sent. */
    version: z.int().optional(),
  })
  .meta({ id: "ExistingChat" });
export type ExistingChat = z.infer<typeof ExistingChat>;

/** The version of a chat in which a turn begins: its messages are in the stream after the version before. */
export const BegunTurn = z.object({ version: z.int() }).meta({ id: "BegunTurn" });
export type BegunTurn = z.infer<typeof BegunTurn>;

export const ModelList = z.object({ data: z.array(Model) });
export type ModelList = z.infer<typeof ModelList>;
