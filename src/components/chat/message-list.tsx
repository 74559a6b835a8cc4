"use client";
import { clsx } from "clsx";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import type { GetTargetScrollTop } from "use-stick-to-bottom";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { LoadMore } from "@/components/ui/load-more";
import { useFollowEnd } from "@/components/ui/use-follow-end";
import { useIsPrinting } from "@/components/ui/use-is-printing";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import { lazyParts } from "@/components/ui/lazy-parts";
import type { Agent } from "@/contract/agent";
import type { MessageView } from "@/contract/chat-view";
import { type MessageActions, MessageRow, toMessageRows } from "./message-row";
import { useMountedMessages } from "./use-mounted-messages";
import type { TurnWork } from "./turn-work";
import { useHasPrependedRows } from "./use-has-prepended-rows";
import { useMessageJumps } from "./use-message-jumps";
import { type OpenTurns, useOpenWork } from "./use-open-work";

const MessageJumps = lazyParts(() => import("./message-jumps"));

/** Shorter lists are not virtualized, so that the browser's own search finds every message. */
const MIN_VIRTUALIZED_ROWS = 60;

/** Height of the area above the rows, in pixels; the virtualizer needs it as its start margin. */
const TOP_HEIGHT_PX = 56;

/** Space above content that is shown from its head on, in pixels. */
const SCROLL_HEAD_MARGIN_PX = 12;

type MessageListProps = {
  /** Ascending by seq, the preview last. */
  messages: readonly MessageView[];
  actions: MessageActions;
  /** How the agents of the chat stand. */
  agents?: readonly Agent[] | undefined;
  /** Whether a turn is running, so that messages may still change. */
  isTurnRunning: boolean;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** Whether the last load of older messages failed. */
  hasOlderFailed: boolean;
  onLoadOlder: () => void;
  /** The `seq` of a message to show, once it is loaded. */
  target: number | undefined;
  /** Asks for an earlier message, which may have to be loaded. */
  onTarget: (seq: number) => void;
  onTargetShown: () => void;
  /** Turns whose work the person has opened or closed. */
  openTurns: OpenTurns;
  /** How many messages the person has sent on this page; with each one the list shows its end. */
  sentCount: number;
  /** Content that follows the messages and scrolls with them. */
  children?: ReactNode;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/**
 * The messages of a chat. Starts at the end and follows it while the reader is there. Needs the chat
 * id as `key`, so that each chat starts at its own end.
 */
export const MessageList = (props: MessageListProps) => {
  const { messages, isTurnRunning, children } = props;
  const isHydrated = useIsHydrated();
  const isVirtualized = messages.length >= MIN_VIRTUALIZED_ROWS;
  const mounted = useMountedMessages(
    messages,
    // The page that the server has rendered has all of them already.
    isHydrated && !isVirtualized && props.target === undefined,
  );
  const firstId = mounted[0]?.id;
  const hasPrependedRows = useHasPrependedRows(firstId, mounted.length);
  const { scrollRef, contentRef, virtualizer, isAtBottom, stopScroll, isWorkOpen, jumps } =
    useMoves(props);
  useScrollAnchor(scrollRef, { firstId, isActive: hasPrependedRows && !isVirtualized });
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col print:block short:h-[calc(100dvh-13*var(--spacing))] short:flex-none">
      <div
        ref={scrollRef}
        role="log"
        aria-live="off"
        aria-busy={isTurnRunning}
        aria-label="Messages"
        tabIndex={0}
        className={clsx(
          "@container/messages relative flex min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 md:[scrollbar-gutter:stable_both-edges] print:[container-type:normal] print:block short:overscroll-auto",
          // Shows the end without a script. Another `display` later would lay out and paint all messages anew.
          isHydrated ? "flex-col" : "flex-col-reverse",
        )}
      >
        <div
          ref={contentRef}
          className={clsx("shrink-0", !isHydrated && "mb-auto")}
          onClickCapture={(event) => isOpener(event.target) && stopScroll()}
        >
          <ListTop {...props} isAtBottom={isAtBottom} />
          <Rows
            {...props}
            mounted={mounted}
            isWorkOpen={isWorkOpen}
            isVirtualized={isVirtualized}
            hasPrependedRows={hasPrependedRows}
            scrollRef={scrollRef}
            virtualizer={virtualizer}
          />
          {children !== undefined && (
            <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-3 px-4 pb-3">
              {children}
            </div>
          )}
        </div>
      </div>
      {!isAtBottom && (
        <MessageJumps isLoading={props.isLoadingOlder && props.target !== undefined} {...jumps} />
      )}
    </div>
  );
};

/** What moves the list, and opens the work that it moves to. */
const useMoves = (props: MessageListProps) => {
  const virtualizer = useRef<VirtualizerHandle>(null);
  const { scrollToBottom, ...follower } = useFollowEnd(showScrollHead);
  const { scrollRef, contentRef, isAtBottom, stopScroll } = follower;
  const { isOpen, showMessage: onShow } = useOpenWork(props);
  const moves = { scrollRef, virtualizer, stopScroll, scrollToBottom, onShow };
  const jumps = useMessageJumps({ ...props, ...moves });
  const showOwnMessage = useEffectEvent(jumps.onLatest);
  // Syncs with the scroll position: the person's own message comes into view wherever the reader is.
  useEffect(() => {
    if (props.sentCount > 0) showOwnMessage();
  }, [props.sentCount]);
  return { scrollRef, contentRef, virtualizer, isAtBottom, stopScroll, isWorkOpen: isOpen, jumps };
};

type ListTopProps = Pick<
  MessageListProps,
  "hasOlder" | "isLoadingOlder" | "hasOlderFailed" | "onLoadOlder"
> & { isAtBottom: boolean };

const ListTop = ({ isAtBottom, hasOlder, onLoadOlder, ...state }: ListTopProps) => (
  <div style={{ height: TOP_HEIGHT_PX }} className="flex items-center justify-center">
    {hasOlder && (
      <p className="hidden text-muted print:block">
        Older messages are not in this print. Ctrl+P loads them first.
      </p>
    )}
    {hasOlder && (
      <LoadMore
        label="Load older messages"
        isLoading={state.isLoadingOlder}
        hasFailed={state.hasOlderFailed}
        isPaused={isAtBottom}
        onLoad={onLoadOlder}
      />
    )}
  </div>
);

type ScrollRef = ReturnType<typeof useFollowEnd>["scrollRef"];

type RowsProps = Pick<
  MessageListProps,
  "messages" | "actions" | "agents" | "isTurnRunning" | "now"
> & {
  /** Those that are rendered on a screen. */
  mounted: readonly MessageView[];
  isWorkOpen: (work: TurnWork) => boolean;
  isVirtualized: boolean;
  hasPrependedRows: boolean;
  scrollRef: ScrollRef;
  virtualizer: RefObject<VirtualizerHandle | null>;
};

const Rows = ({
  messages,
  actions,
  agents,
  isTurnRunning,
  now,
  mounted,
  isWorkOpen,
  isVirtualized,
  hasPrependedRows,
  scrollRef,
  virtualizer,
}: RowsProps) => {
  const isPrinting = useIsPrinting();
  const shown = isPrinting ? messages : mounted;
  // The key is seq, not id, so that open cards stay open when the preview becomes a message.
  // Of all messages, as a turn may have begun before the first one that is shown.
  const rows = toMessageRows(messages, {
    editingId: actions.editingId,
    agents,
    isTurnRunning,
    isWorkOpen: (work) => isPrinting || isWorkOpen(work),
  })
    .slice(messages.length - shown.length)
    .map((row) => <MessageRow key={row.message.seq} row={row} actions={actions} now={now} />);
  if (!isVirtualized) return rows;
  return (
    <Virtualizer
      ref={virtualizer}
      scrollRef={scrollRef}
      startMargin={TOP_HEIGHT_PX}
      shift={hasPrependedRows}
      bufferSize={800}
      {...(isPrinting && { keepMounted: rows.map((_, index) => index) })}
    >
      {rows}
    </Virtualizer>
  );
};

/**
 * The list follows its end, but content that is higher than the view, such as a form, is shown from its head
 * on. A reader who has scrolled further stays there.
 */
const showScrollHead: GetTargetScrollTop = (end, { scrollElement, contentElement }) => {
  const head = contentElement.querySelector("[data-scroll-head]");
  if (!head) return end;
  const { scrollTop } = scrollElement;
  const offset = head.getBoundingClientRect().top - scrollElement.getBoundingClientRect().top;
  return Math.min(end, Math.max(scrollTop, scrollTop + offset - SCROLL_HEAD_MARGIN_PX));
};

/** Whether a click opens a card or an image. The list then stops following its end, which would scroll it away. */
const isOpener = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(OPENERS) !== null;

const OPENERS = "button[aria-expanded=false], a[data-image]";

/** Keeps the visible rows in place when older ones are added above them. */
const useScrollAnchor = (
  scrollRef: ScrollRef,
  { firstId, isActive }: { firstId: string | undefined; isActive: boolean },
): void => {
  const previous = useRef({ firstId, height: 0 });
  // Syncs with the scroll position: browsers anchor it themselves except at the top.
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (element === null) return;
    if (isActive && previous.current.firstId !== firstId) {
      element.scrollTop += element.scrollHeight - previous.current.height;
    }
    previous.current = { firstId, height: element.scrollHeight };
  });
};
