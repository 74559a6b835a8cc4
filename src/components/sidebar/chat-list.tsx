import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { ChatGroup } from "./chat-group";
import type { ChatRowActions } from "./chat-row";
import { buildChatTree, type SidebarChat } from "./chat-tree";

export type ChatListProps = {
  /** Newest first. */
  chats: readonly SidebarChat[];
  activeChatId: string | undefined;
  actions: ChatRowActions;
  search: string;
  archived: boolean;
  /** Whether the first page is loading. */
  isLoading: boolean;
  /** Why the first page could not be loaded. */
  error: string | undefined;
  onRetry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  onLoadMore: () => void;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/** Pinned chats, then the others; or why the list is empty. */
export const ChatList = (props: ChatListProps) => {
  const { chats, isLoading, error, onRetry, hasMore, isLoadingMore, onLoadMore } = props;
  if (error !== undefined) {
    return (
      <div className="pt-3">
        <Alert
          tone="danger"
          announce="alert"
          title={error}
          action={
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (isLoading) {
    return (
      <p role="status" className="flex items-center gap-2 px-2 py-4 text-muted">
        <Spinner /> Loading chats…
      </p>
    );
  }
  if (chats.length === 0) {
    return (
      <p role="status" className="px-2 py-4 break-words text-muted">
        {toEmptyText(props)}
      </p>
    );
  }
  return (
    <>
      <Groups {...props} />
      {hasMore && (
        <div className="flex justify-center pt-2">
          <Button size="sm" variant="ghost" isBusy={isLoadingMore} onClick={onLoadMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
};

const Groups = ({ chats, actions, activeChatId, archived, search, now }: ChatListProps) => {
  const nodes = buildChatTree(chats);
  const groupProps = { actions, activeChatId, now };
  if (search !== "") return <ChatGroup heading="Results" nodes={nodes} {...groupProps} />;
  if (archived) return <ChatGroup heading="Archived" nodes={nodes} {...groupProps} />;
  const pinned = nodes.filter(({ chat }) => chat.pinned);
  const others = nodes.filter(({ chat }) => !chat.pinned);
  return (
    <>
      {pinned.length > 0 && <ChatGroup heading="Pinned" nodes={pinned} {...groupProps} />}
      {others.length > 0 && <ChatGroup heading="Recent" nodes={others} {...groupProps} />}
    </>
  );
};

const toEmptyText = ({ search, archived }: ChatListProps): string => {
  if (search !== "") return `Nothing found for “${search}”.`;
  return archived ? "No archived chats." : "No chats yet. Start one above.";
};
