import { type RefObject, useEffect, useEffectEvent } from "react";
import type { VirtualizerHandle } from "virtua";
import type { MessageView } from "@/contract/chat-view";
import { findShownMatch } from "./match-highlights";

/** Frames in which a jump is repeated: rows are measured when they first appear, which moves the others. */
const JUMP_FRAMES = 12;
/** How far a row may be from the top of the list to count as the one at the top, in pixels. */
const TOP_TOLERANCE_PX = 24;
const HIGHLIGHT_MS = 1_600;

type JumpInput = {
  messages: readonly MessageView[];
  scrollRef: RefObject<HTMLElement | null>;
  /** Null while the list is not virtualized. */
  virtualizer: RefObject<VirtualizerHandle | null>;
  /** The `seq` of a message to show, once it is loaded. */
  target: number | undefined;
  hasOlder: boolean;
  /** Asks for an earlier message, which may have to be loaded. */
  onTarget: (seq: number) => void;
  onTargetShown: () => void;
  /** A message will be shown, which may be folded away. */
  onShow: (message: MessageView) => void;
  /** Ends the following of the list's end. */
  stopScroll: () => void;
  scrollToBottom: (behavior: "instant") => boolean | Promise<boolean>;
};

/** Moves the list to single messages. */
export const useMessageJumps = (input: JumpInput) => {
  const { messages, scrollRef, virtualizer, target, hasOlder, onTarget } = input;
  const firstSeq = messages[0]?.seq;
  const jumpTo = (message: MessageView): void => {
    input.stopScroll();
    const index = messages.indexOf(message);
    repeatInFrames(JUMP_FRAMES, (isLast) => {
      const row = findRow(scrollRef.current, message);
      if (row) scrollToRow(row, scrollRef.current);
      else virtualizer.current?.scrollToIndex(index, { align: "start" });
      if (isLast) row?.animate(HIGHLIGHT, HIGHLIGHT_MS);
    });
  };
  const showTarget = useEffectEvent(() => {
    const found = messages.findLast(({ seq }) => seq <= (target ?? 0)) ?? messages[0];
    if (found) {
      input.onShow(found);
      jumpTo(found);
    }
    input.onTargetShown();
  });
  const isTargetLoaded =
    target !== undefined && firstSeq !== undefined && (firstSeq <= target || !hasOlder);
  // Syncs with the scroll position, once the target is among the rows.
  useEffect(() => {
    if (isTargetLoaded) showTarget();
  }, [isTargetLoaded, target]);

  /** Where a row is, in pixels below the top of the visible part. */
  const measureTop = (message: MessageView): number => {
    const list = scrollRef.current;
    const row = findRow(list, message);
    if (row && list) return row.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const offset = virtualizer.current?.getItemOffset(messages.indexOf(message)) ?? 0;
    return offset - (list?.scrollTop ?? 0);
  };
  const own = messages.filter(({ role }) => role === "user");
  const jumpToLatest = (): void => {
    Promise.resolve(input.scrollToBottom("instant")).catch(reportError);
  };
  return {
    onFirst: () => onTarget(0),
    onPrevious: () => {
      const previous = own.findLast((message) => measureTop(message) < -TOP_TOLERANCE_PX);
      if (previous) jumpTo(previous);
      else onTarget(hasOlder && firstSeq !== undefined ? firstSeq - 1 : 0);
    },
    onNext: () => {
      const next = own.find((message) => measureTop(message) > TOP_TOLERANCE_PX);
      if (next) jumpTo(next);
      else jumpToLatest();
    },
    onLatest: jumpToLatest,
  };
};

const HIGHLIGHT = [{ backgroundColor: "var(--accent-soft)" }, { backgroundColor: "transparent" }];

/** Scrolls to a row, and on to what a search has found in it if that is still out of view. */
const scrollToRow = (row: HTMLElement, list: HTMLElement | null): void => {
  row.scrollIntoView({ block: "start" });
  const match = findShownMatch(row);
  if (!match || !list) return;
  // A line of code, or a table, may be wider than the list.
  match.startContainer.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const view = list.getBoundingClientRect();
  const { top, bottom, height } = match.getBoundingClientRect();
  // What is folded away has no height.
  if (height > 0 && (top < view.top || bottom > view.bottom)) {
    list.scrollTop += top - view.top - view.height / 3;
  }
};

const findRow = (list: HTMLElement | null, { id }: MessageView): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"]`) ?? null;

const repeatInFrames = (frames: number, run: (isLast: boolean) => void): void => {
  run(frames === 0);
  if (frames > 0) requestAnimationFrame(() => repeatInFrames(frames - 1, run));
};
