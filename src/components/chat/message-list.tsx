"use client";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import { Virtualizer } from "virtua";
import { Button } from "@/components/ui/button";
import type { MessageView } from "@/contract/chat-view";
import { type MessageActions, MessageRow } from "./message-row";
import { placeMessages } from "./place-messages";
import { usePrepended } from "./use-prepended";

/** Fewer rows are quick enough as they are, and then the browser's own search finds them all. */
const WINDOWED_FROM_ROWS = 60;

/** The height of what stands above the rows, in pixels; the windowed rows must know it. */
const TOP_HEIGHT = 56;

type MessageListProps = {
  /** Ascending; the one being made last. */
  messages: readonly MessageView[];
  actions: MessageActions;
  /** An answer is being written. */
  busy: boolean;
  hasOlder: boolean;
  loadingOlder: boolean;
  onLoadOlder: () => void;
  /** What follows the messages and scrolls with them: the form to answer in, the status line. */
  children?: ReactNode;
  /** Stands in for the clock in stories. */
  now?: number;
};

/**
 * The chat's history. Opens at its end and follows it only while the reader is there; give it the
 * chat's id as `key`, so that another chat opens at its own end.
 */
export const MessageList = (props: MessageListProps) => {
  const { messages, busy, hasOlder, loadingOlder, onLoadOlder, children } = props;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll } = useStickToBottom({
    initial: "instant",
    resize: "instant",
  });
  const first = messages[0]?.id;
  const windowed = messages.length >= WINDOWED_FROM_ROWS;
  const prepended = usePrepended({ first, last: messages.at(-1)?.id }, messages.length);
  useHeldPlace(scrollRef, { first, held: prepended && !windowed });
  const jump = () => {
    Promise.resolve(scrollToBottom("instant")).catch(reportError);
  };
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        ref={scrollRef}
        role="log"
        aria-live="off"
        aria-busy={busy}
        aria-label="Messages"
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 md:[scrollbar-gutter:stable_both-edges]"
      >
        <div ref={contentRef} onClickCapture={(event) => opens(event.target) && stopScroll()}>
          <div style={{ height: TOP_HEIGHT }} className="flex items-center justify-center">
            {hasOlder && (
              <Button size="sm" variant="ghost" isBusy={loadingOlder} onClick={onLoadOlder}>
                Load older messages
              </Button>
            )}
          </div>
          <Rows {...props} windowed={windowed} prepended={prepended} scrollRef={scrollRef} />
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
            <Button size="sm" icon={<ArrowDown aria-hidden size={14} />} onClick={jump}>
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
  windowed: boolean;
  prepended: boolean;
  scrollRef: ScrollRef;
};

const Rows = ({ messages, actions, now, windowed, prepended, scrollRef }: RowsProps) => {
  // By place, not by id: what is open in a row stays open when its preview becomes a message.
  const rows = placeMessages(messages, actions.editingId).map((placed) => (
    <MessageRow key={placed.message.seq} placed={placed} actions={actions} now={now} />
  ));
  if (!windowed) return rows;
  return (
    <Virtualizer scrollRef={scrollRef} startMargin={TOP_HEIGHT} shift={prepended} bufferSize={800}>
      {rows}
    </Virtualizer>
  );
};

/** What a reader opens grows where it is; following the end would take it out of their sight. */
const opens = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("button[aria-expanded=false]") !== null;

/** Keeps the row that is being read where it is when older ones come in above it. */
const useHeldPlace = (
  scrollRef: ScrollRef,
  { first, held }: { first: string | undefined; held: boolean },
): void => {
  const before = useRef({ first, height: 0 });
  // Syncs with the browser's scroll position, which it keeps by itself only away from the top.
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (element === null) return;
    if (held && before.current.first !== first) {
      element.scrollTop += element.scrollHeight - before.current.height;
    }
    before.current = { first, height: element.scrollHeight };
  });
};
