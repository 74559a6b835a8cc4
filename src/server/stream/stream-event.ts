import type { Attention } from "@/server/db/sql/reads/attention-reads";
import type { PreviewOp } from "@/contract/stream-event";
import type { LiveAgent } from "@/server/db/tasks/agent-reads";
import type { ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import type {
  ChatRow,
  MessageRow,
  OpenCallRow,
  QueuedMessageRow,
  TaskRow,
} from "@/server/db/chats/rows";

/**
 * One batch of ops. All watchers of the chat share the object, so that it is serialized only once;
 * do not change it.
 */
export type PreviewEvent = {
  readonly type: "preview";
  readonly attempt: number;
  /** Counts the batches of one preview; 0 is a snapshot or the first batch after a reset. */
  readonly seq: number;
  readonly ops: readonly PreviewOp[];
};

/** Drop every preview part. */
export type PreviewResetEvent = { readonly type: "preview-reset"; readonly attempt: number };

/** An event of one chat's stream; docs/events.md shows the order of one turn. */
export type ChatStreamEvent =
  | { type: "message"; message: MessageRow }
  | { type: "message-deleted"; id: string }
  | { type: "task"; task: TaskRow }
  | { type: "agents"; agents: LiveAgent[] }
  | {
      type: "chat";
      chat: ChatRow;
      queue: QueuedMessageRow[];
      /** The calls that a parked chat waits for. */
      openCalls: OpenCallRow[];
      /** Its agents that wait for a client. */
      childActions: ChatWithCalls[];
    }
  | PreviewResetEvent
  | PreviewEvent
  | { type: "caught-up"; version: number };

/** An event of the stream over all chats of a viewer. */
export type WatchStreamEvent =
  | { type: "chat.created"; chat: WatchedChatRow }
  | { type: "chat.updated"; chat: WatchedChatRow }
  | { type: "chat.deleted"; id: string }
  | { type: "chat.action_required"; chat: WatchedChatRow; openCalls: OpenCallRow[] };

/** A chat, and what of it the viewer should look at. */
type WatchedChatRow = ChatRow & Attention;
