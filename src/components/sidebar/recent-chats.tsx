import type { ChatSummary } from "@/contract/chat";
import { ChatGroup } from "./chat-group";
import type { ChatRowActions } from "./chat-menu-items";
import { buildChatTree, isOrphan, mergeChats, sortByDeadline, splitWaiting } from "./chat-tree";

type RecentChatsProps = {
  /** Newest first. */
  chats: readonly ChatSummary[];
  /** Those that wait for the person; `chats` may have some of them. */
  waitingChats: readonly ChatSummary[];
  actions: ChatRowActions;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/** Most rows under each heading: the page of a new chat is no list. */
const MAX_RECENT = 5;

/** The chats that wait for the person, and those that changed last. */
export const RecentChats = ({ chats, waitingChats, actions, now }: RecentChatsProps) => {
  const { waiting, others } = splitWaiting(buildChatTree(mergeChats(waitingChats, chats)));
  const recent = others.filter((node) => !isOrphan(node)).slice(0, MAX_RECENT);
  if (waiting.length + recent.length === 0) return null;
  const rows = { actions, activeChatId: undefined, search: "", now };
  return (
    <div className="grid gap-x-6 gap-y-2 sm:auto-cols-fr sm:grid-flow-col">
      {waiting.length > 0 && (
        <ChatGroup
          heading="Needs you"
          nodes={sortByDeadline(waiting)}
          maxRows={MAX_RECENT}
          {...rows}
        />
      )}
      {recent.length > 0 && <ChatGroup heading="Recent chats" nodes={recent} {...rows} />}
    </div>
  );
};
