import type { ChatSnapshot } from "@/contract/chat";
import type { Message } from "@/contract/message";
import type { StreamEvent } from "@/contract/stream-event";

/**
 * Remembers what a chat's stream told since it began, so that a tab that comes late can be told
 * the same in few events.
 *
 * @param after the version that the stream began behind.
 */
export const createFeedRecord = (after: number) => {
  const messages = new Map<string, Message>();
  const deleted = new Set<string>();
  let chat: ChatSnapshot | undefined;
  let preview: StreamEvent[] = [];
  let version = after;

  const add = (event: StreamEvent): void => {
    switch (event.type) {
      case "message":
        messages.set(event.message.id, event.message);
        deleted.delete(event.message.id);
        preview = preview.slice(0, 1);
        return;
      case "message-deleted":
        messages.delete(event.id);
        deleted.add(event.id);
        preview = preview.slice(0, 1);
        return;
      case "chat":
        chat = event.chat;
        version = Math.max(version, chat.version);
        return;
      case "preview-reset":
        preview = [event];
        return;
      case "preview":
        preview.push(event);
        return;
      case "caught-up":
        version = Math.max(version, event.version);
        return;
    }
  };

  return {
    add,
    version: (): number => version,
    /** What was told, compacted. */
    events: (): StreamEvent[] => [
      ...[...deleted].map((id): StreamEvent => ({ type: "message-deleted", id })),
      ...[...messages.values()].map((message): StreamEvent => ({ type: "message", message })),
      ...(chat ? [{ type: "chat" as const, chat }] : []),
      ...preview,
    ],
  };
};
