import type { Agent } from "@/contract/agent";
import type { ChatSnapshot } from "@/contract/chat";
import type { Message } from "@/contract/message";
import type { Task } from "@/contract/task";
import type { ChatEvent } from "@/contract/stream-event";

/**
 * Creates a compacted log of a chat's stream, from which a tab that subscribes late catches up.
 *
 * @param after the version after which the stream began.
 */
export const createReplayLog = (after: number) => {
  const messages = new Map<string, Message>();
  const deletedIds = new Set<string>();
  const tasks = new Map<string, Task>();
  let agents: readonly Agent[] | undefined;
  let chat: ChatSnapshot | undefined;
  let preview: ChatEvent[] = [];
  let version = after;

  const add = (event: ChatEvent): void => {
    switch (event.type) {
      case "message":
        messages.set(event.message.id, event.message);
        deletedIds.delete(event.message.id);
        preview = preview.slice(0, 1);
        return;
      case "message-deleted":
        messages.delete(event.id);
        deletedIds.add(event.id);
        preview = preview.slice(0, 1);
        return;
      case "task":
        tasks.set(event.task.id, event.task);
        return;
      case "agents":
        ({ agents } = event);
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
    getVersion: (): number => version,
    /** Returns the events that reproduce the current state. */
    getEvents: (): ChatEvent[] => [
      ...[...deletedIds].map((id): ChatEvent => ({ type: "message-deleted", id })),
      ...[...messages.values()].map((message): ChatEvent => ({ type: "message", message })),
      ...[...tasks.values()].map((task): ChatEvent => ({ type: "task", task })),
      ...(chat ? [{ type: "chat" as const, chat }] : []),
      // After the chat, which does not change when an agent does.
      ...(agents ? [{ type: "agents" as const, agents: [...agents] }] : []),
      ...preview,
    ],
  };
};
