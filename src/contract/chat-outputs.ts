import { z } from "zod";
import { ChatSummary } from "./chat";
import { Message, QueuedMessage } from "./message";
import { Model } from "./model";

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
});
export type MessagePage = z.infer<typeof MessagePage>;

export const SendMessageOutput = z.discriminatedUnion("queued", [
  z.object({ queued: z.literal(false), message: Message }),
  z.object({ queued: z.literal(true), queued_message: QueuedMessage }),
]);
export type SendMessageOutput = z.infer<typeof SendMessageOutput>;

export const ModelList = z.object({ data: z.array(Model) });
export type ModelList = z.infer<typeof ModelList>;
