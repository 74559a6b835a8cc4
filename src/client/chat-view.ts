import type { Agent } from "@/contract/agent";
import type { ChatLink, ChatSnapshot, ChildAction } from "@/contract/chat";
import type { LiveOutput, MessageView, PartView } from "@/contract/chat-view";
import type { Message } from "@/contract/message";
import type { Part } from "@/contract/part";
import type { Task } from "@/contract/task";
import { toCallKey } from "@/contract/call-key";

/** The state of one chat on the screen: committed messages and the preview of the answer. */
export type ChatView = {
  chat: ChatSnapshot | undefined;
  /** Committed messages, ascending by seq, without gaps up to the newest. */
  messages: readonly Message[];
  /** Whether there are messages before the first one that are not loaded. */
  hasOlder: boolean;
  /** The `seq` from which messages are loaded, if older ones are not. An alternative may have replaced all of these. */
  loadedFrom: number;
  /** The tasks of the chat, the oldest first; of very many the newest. */
  tasks: readonly Task[];
  /** The agents that the chat has started, the oldest first. */
  agents: readonly Agent[];
  /** What they wait for. The chat's record has it, too, but does not change when an agent does. */
  childActions: readonly ChildAction[];
  /** The chat that it is a fork of, as of when it was opened; null for others, and if that was deleted. */
  origin: ChatLink | null;
  /** Its newest forks, the newest first: those of then, and those that were made here since. */
  forks: readonly ChatLink[];
  preview: Preview;
  /** The chat version up to which all events have arrived; the cursor of a reconnect. */
  version: number;
  /** Whether the stream has sent everything up to the present. */
  isCaughtUp: boolean;
};

type Preview = {
  attempt: number;
  /** The seq of the next batch; batches below it have been applied. */
  nextSeq: number;
  /** By the part's index in the message. */
  parts: Readonly<Record<number, PartView>>;
  /** Output of running tools, by `toCallKey`. */
  liveOutputs: Readonly<Record<string, LiveOutput>>;
  /** The call that sums up what came before, while it runs. */
  compaction?: { part: number; parts: number };
};

export const createPreview = (attempt: number): Preview => ({
  attempt,
  nextSeq: 0,
  parts: {},
  liveOutputs: {},
});

export const emptyChatView: ChatView = {
  chat: undefined,
  messages: [],
  hasOlder: false,
  loadedFrom: 0,
  tasks: [],
  agents: [],
  childActions: [],
  origin: null,
  forks: [],
  preview: createPreview(0),
  version: 0,
  isCaughtUp: false,
};

/** Returns the messages to render: tool calls with their live output, the preview last. */
export const toMessageViews = ({ messages, preview, chat }: ChatView): MessageView[] => {
  const { liveOutputs } = preview;
  const hasLiveOutput = Object.keys(liveOutputs).length > 0;
  const committed = hasLiveOutput
    ? messages.map((message) => addLiveOutput(message, liveOutputs))
    : messages;
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

const addLiveOutput = (message: Message, outputs: Preview["liveOutputs"]): MessageView => {
  const findOutput = (part: Part): LiveOutput | undefined =>
    part.type === "tool_call"
      ? outputs[toCallKey({ message_id: message.id, tool_call_id: part.tool_call_id })]
      : undefined;
  const hasOutput = message.parts.some(findOutput);
  // The same object, so that the memoized row does not render.
  if (!hasOutput) return message;
  return {
    ...message,
    parts: message.parts.map((part) => {
      const output = findOutput(part);
      return part.type === "tool_call" && output ? { ...part, live_output: output } : part;
    }),
  };
};
