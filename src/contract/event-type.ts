import * as z from "zod";

/** What is kept of chats for a week, for programs that read it with a cursor. */
export const EventType = z.enum([
  "chat.created",
  "chat.deleted",
  "call.opened",
  "call.claimed",
  "call.closed",
  "turn.ended",
  "turn.failed",
]);
export type EventType = z.infer<typeof EventType>;
