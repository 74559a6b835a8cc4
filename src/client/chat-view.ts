import type { ChatSnapshot } from "@/contract/chat";
import type { LiveOutput, MessageView, PartView } from "@/contract/chat-view";
import type { Message } from "@/contract/message";

/** What one chat's screen knows: committed rows, and the answer being made. */
export type ChatView = {
  chat: ChatSnapshot | undefined;
  /** Committed messages, ascending by seq, without a gap up to the newest. */
  messages: readonly Message[];
  /** There are messages before the first one, not loaded yet. */
  hasOlder: boolean;
  preview: Preview;
  /** The chat version up to which the stream has told everything; the cursor of a reconnect. */
  version: number;
  /** The snapshot of this connection is complete. */
  caughtUp: boolean;
};

type Preview = {
  attempt: number;
  /** The number of the next batch; one below it was applied already. */
  next: number;
  /** By the part's place in the message. */
  parts: Readonly<Record<number, PartView>>;
  /** What running tools say, by tool call id. */
  live: Readonly<Record<string, LiveOutput>>;
};

export const emptyPreview = (attempt: number): Preview => ({
  attempt,
  next: 0,
  parts: {},
  live: {},
});

export const emptyChatView: ChatView = {
  chat: undefined,
  messages: [],
  hasOlder: false,
  preview: emptyPreview(0),
  version: 0,
  caughtUp: false,
};

/** The messages as they are drawn: live output in its call, the preview last. */
export const toMessageViews = ({ messages, preview, chat }: ChatView): MessageView[] => {
  const live = Object.keys(preview.live).length > 0;
  const committed = live ? messages.map((message) => withLive(message, preview.live)) : messages;
  const parts = Object.entries(preview.parts)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, part]) => part);
  if (parts.length === 0) return [...committed];
  const last = messages.at(-1);
  return [
    ...committed,
    {
      id: "preview",
      seq: (last?.seq ?? 0) + 1,
      revision: chat?.version ?? 0,
      role: "assistant",
      parts,
      created_at: last?.created_at ?? chat?.updated_at ?? "",
      preview: true,
    },
  ];
};

const withLive = (message: Message, live: Preview["live"]): MessageView => {
  const told = message.parts.some((part) => part.type === "tool_call" && live[part.tool_call_id]);
  if (!told) return message;
  return {
    ...message,
    parts: message.parts.map((part) => {
      const output = part.type === "tool_call" ? live[part.tool_call_id] : undefined;
      return part.type === "tool_call" && output ? { ...part, live_output: output } : part;
    }),
  };
};
