import { isDeepStrictEqual } from "node:util";
import { type LiveAgent, listLiveAgents } from "@/server/db/tasks/agent-reads";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import type { Viewer } from "@/server/db/chats/viewer";
import type { Notifications } from "./notifications";
import type { ChatStreamEvent } from "./stream-event";
import { createThrottle } from "./throttle";

/** Agents that work at the same time change many times in a second, and all are read at once. */
const INTERVAL_MS = 250;

type AgentFeedDeps = {
  db: Database;
  chatId: string;
  viewer: Viewer;
  notifications: Pick<Notifications, "subscribeChildren">;
  wake: () => void;
};

export type AgentFeed = ReturnType<typeof createAgentFeed>;

/** Tracks what one client knows of the agents of a chat. */
export const createAgentFeed = ({ db, chatId, viewer, notifications, wake }: AgentFeedDeps) => {
  let known: LiveAgent[] = [];
  let isDue = false;
  let taskVersion = 0;
  const throttle = createThrottle(INTERVAL_MS, () => {
    isDue = true;
    wake();
  });
  const unsubscribe = notifications.subscribeChildren(chatId, throttle.leading);
  return {
    /** Requests a read when the tasks of the chat have changed: one of them may be a new agent. */
    observe: (chat: Pick<ChatRow, "taskVersion">): void => {
      if (chat.taskVersion === taskVersion) return;
      ({ taskVersion } = chat);
      isDue = true;
    },
    isReadDue: (): boolean => isDue,
    /** Reads the agents, if the client does not know them as they are. */
    read: async (): Promise<ChatStreamEvent[]> => {
      isDue = false;
      const agents = await listLiveAgents(db, { rootChatId: chatId, viewer });
      if (isDeepStrictEqual(agents, known)) return [];
      known = agents;
      return [{ type: "agents", agents }];
    },
    close: (): void => {
      unsubscribe();
      throttle.cancel();
    },
  };
};
