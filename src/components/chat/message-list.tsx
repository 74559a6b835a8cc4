"use client";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import { Virtualizer } from "virtua";
import { Button } from "@/components/ui/button";
import type { MessageView } from "@/contract/chat-view";
import { type MessageActions, MessageRow, toMessageRows } from "./message-row";
import { useHasPrependedRows } from "./use-has-prepended-rows";

/** Shorter lists are not virtualized, so that the browser's own search finds every message. */
const MIN_VIRTUALIZED_ROWS = 60;

/** Height of the area above the rows, in pixels; the virtualizer needs it as its start margin. */
const TOP_HEIGHT_PX = 56;

type MessageListProps = {
  /** Ascending by seq, the preview last. */
  messages: readonly MessageView[];
  actions: MessageActions;
  /** Whether a turn is running, so that messages may still change. */
  isTurnRunning: boolean;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  onLoadOlder: () => void;
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
  const { messages, isTurnRunning, hasOlder, isLoadingOlder, onLoadOlder, children } = props;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll } = useStickToBottom({
    initial: "instant",
    resize: "instant",
  });
  const firstId = messages[0]?.id;
  const isVirtualized = messages.length >= MIN_VIRTUALIZED_ROWS;
  const hasPrependedRows = useHasPrependedRows(firstId, messages.length);
  useScrollAnchor(scrollRef, { firstId, isActive: hasPrependedRows && !isVirtualized });
  const jumpToLatest = () => {
    Promise.resolve(scrollToBottom("instant")).catch(reportError);
  };
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        ref={scrollRef}
        role="log"
        aria-live="off"
        aria-busy={isTurnRunning}
        aria-label="Messages"
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 md:[scrollbar-gutter:stable_both-edges]"
      >
        <div
          ref={contentRef}
          onClickCapture={(event) => isClosedDisclosure(event.target) && stopScroll()}
        >
          <div style={{ height: TOP_HEIGHT_PX }} className="flex items-center justify-center">
            {hasOlder && (
              <Button size="sm" variant="ghost" isBusy={isLoadingOlder} onClick={onLoadOlder}>
                Load older messages
              </Button>
            )}
          </div>
          <Rows
            {...props}
            isVirtualized={isVirtualized}
            hasPrependedRows={hasPrependedRows}
            scrollRef={scrollRef}
          />
          {children !== undefined && (
            <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-3 px-4 pb-3">
              {children}
            </div>
          )}
        </div>
      </div>
      {!isAtBottom && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <span className="pointer-events-auto rounded-md bg-raised shadow-popup">
            <Button size="sm" icon={<ArrowDown aria-hidden size={14} />} onClick={jumpToLatest}>
              Jump to latest
            </Button>
          </span>
        </div>
      )}
    </div>
  );
};

type ScrollRef = ReturnType<typeof useStickToBottom>["scrollRef"];

type RowsProps = Pick<MessageListProps, "messages" | "actions" | "now"> & {
  isVirtualized: boolean;
  hasPrependedRows: boolean;
  scrollRef: ScrollRef;
};

const Rows = ({
  messages,
  actions,
  now,
  isVirtualized,
  hasPrependedRows,
  scrollRef,
}: RowsProps) => {
  // The key is seq, not id, so that open cards stay open when the preview becomes a message.
  const rows = toMessageRows(messages, actions.editingId).map((row) => (
    <MessageRow key={row.message.seq} row={row} actions={actions} now={now} />
  ));
  if (!isVirtualized) return rows;
  return (
    <Virtualizer
      scrollRef={scrollRef}
      startMargin={TOP_HEIGHT_PX}
      shift={hasPrependedRows}
      bufferSize={800}
    >
      {rows}
    </Virtualizer>
  );
};

/** Whether a click opens a card. The list then stops following its end, which would scroll the card away. */
const isClosedDisclosure = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("button[aria-expanded=false]") !== null;

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
