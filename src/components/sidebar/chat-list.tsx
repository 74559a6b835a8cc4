import type { ChatSummary } from "@/contract/chat";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Spinner } from "@/components/ui/spinner";
import { useNow } from "@/components/ui/use-now";
import { ChatGroup } from "./chat-group";
import type { ChatRowActions } from "./chat-menu-items";
import { buildChatTree, isOrphan, mergeChats, sortByDeadline, splitWaiting } from "./chat-tree";
import { type ChatGroupData, groupByDate } from "./date-groups";

export type ChatListProps = {
  /** Newest first. */
  chats: readonly ChatSummary[];
  /** All chats that wait for the person, newest first; `chats` may have some of them. */
  waitingChats: readonly ChatSummary[];
  activeChatId: string | undefined;
  actions: ChatRowActions;
  search: string;
  archived: boolean;
  /** Whether the first page is loading; a search may have the chats of a shorter text meanwhile. */
  isLoading: boolean;
  /** Why the first page could not be loaded. */
  error: string | undefined;
  onRetry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Whether the last load of more chats failed. */
  hasMoreFailed: boolean;
  onLoadMore: () => void;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/** By which the groups of days follow the clock. */
const MINUTE_MS = 60_000;
/** Rows of the chats that wait, which would else leave no place for the others. */
const MAX_WAITING = 5;
/** With fewer characters the server looks through titles and the newest messages only. */
const MIN_INDEXED_LENGTH = 3;

/** Chats that wait for the person, then pinned chats, then the others by day; or why there are none. */
export const ChatList = (props: ChatListProps) => {
  const { actions, activeChatId, search, now } = props;
  const currentTime = useNow(MINUTE_MS, now) ?? 0;
  const isSearching = search !== "" && props.isLoading;
  const groups = listGroups(props, currentTime).filter(({ nodes }) => nodes.length > 0);
  return (
    <>
      <div aria-busy={isSearching}>
        {groups.map((group) => (
          <ChatGroup
            key={group.heading}
            {...group}
            actions={actions}
            activeChatId={activeChatId}
            search={search}
            now={now}
          />
        ))}
      </div>
      <ListEnd {...props} isEmpty={groups.length === 0} />
    </>
  );
};

const listGroups = (
  { chats, waitingChats, archived, search, isLoading }: ChatListProps,
  now: number,
): (ChatGroupData & { maxRows?: number })[] => {
  if (search !== "") {
    return [{ heading: isLoading ? "Last results" : "Results", nodes: buildChatTree(chats) }];
  }
  if (archived) return [{ heading: "Archived", nodes: buildChatTree(chats) }];
  const { waiting, others: all } = splitWaiting(buildChatTree(mergeChats(waitingChats, chats)));
  const others = all.filter((node) => !isOrphan(node));
  return [
    { heading: "Needs you", nodes: sortByDeadline(waiting), maxRows: MAX_WAITING },
    { heading: "Pinned", nodes: others.filter(({ chat }) => chat.pinned) },
    ...groupByDate(
      others.filter(({ chat }) => !chat.pinned),
      now,
    ),
  ];
};

const ListEnd = (props: ChatListProps & { isEmpty: boolean }) => {
  const { isEmpty, isLoading, error, onRetry, hasMore, search } = props;
  if (error !== undefined) {
    return (
      <div className="pt-3">
        <Alert
          tone="danger"
          announce="alert"
          title={search === "" ? error : `Could not search for “${search}”`}
          action={
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          {search !== "" && error}
        </Alert>
      </div>
    );
  }
  if (isLoading) {
    return (
      <p role="status" className="flex items-center gap-2 px-2 py-4 text-muted">
        <Spinner /> {search === "" ? "Loading chats…" : "Searching…"}
      </p>
    );
  }
  if (isEmpty) {
    return <EmptyState {...describeEmpty(props)} size="list" announce="status" />;
  }
  return (
    <>
      {isShort(search) && <p className="px-2 pt-3 text-note text-muted">{SHORT_SEARCH}</p>}
      {hasMore && (
        <div className="pt-2">
          <LoadMore
            label="Show more"
            isLoading={props.isLoadingMore}
            hasFailed={props.hasMoreFailed}
            onLoad={props.onLoadMore}
          />
        </div>
      )}
    </>
  );
};

const isShort = (search: string): boolean => search !== "" && search.length < MIN_INDEXED_LENGTH;
const SHORT_SEARCH =
  "So short a text is looked for in titles and the newest messages only. Add letters to search all messages.";

const describeEmpty = ({ search, archived }: ChatListProps) => {
  if (search !== "") {
    return {
      kind: "no-results" as const,
      title: `Nothing found for “${search}”`,
      text: isShort(search) ? SHORT_SEARCH : "No title and no message has it. Try fewer letters.",
    };
  }
  return archived
    ? {
        kind: "empty" as const,
        title: "No archived chats",
        text: "Archive a chat by its menu to keep it out of the list.",
      }
    : {
        kind: "empty" as const,
        title: "No chats yet",
        text: "Write a message, and its chat appears here.",
      };
};
