import { useCallback, useLayoutEffect, useRef } from "react";
import { type GetTargetScrollTop, useStickToBottom } from "use-stick-to-bottom";

/** Events with which a reader scrolls. */
const SCROLL_INPUTS = ["keydown", "pointerdown", "touchmove", "wheel"];
/** How long a view may take to begin to move after one. */
const INPUT_MS = 1_000;

/**
 * Keeps the end of growing content in view while the reader is there. `use-stick-to-bottom` decides who is there, but
 * scrolls a frame after the content has grown, so that the last line would appear below the view and jump up. This
 * scrolls in the same frame, also when the view itself becomes lower. The component that renders the content calls it.
 *
 * @param targetScrollTop where to stop before the end.
 */
export const useFollowEnd = (targetScrollTop?: GetTargetScrollTop) => {
  const follower = useStickToBottom({
    initial: "instant",
    resize: "instant",
    ...(targetScrollTop && { targetScrollTop }),
  });
  const { scrollRef, contentRef, state, stopScroll } = follower;
  const lastTop = useRef(0);
  const follow = useCallback(() => {
    const target = state.calculatedTargetScrollTop;
    if (!state.isAtBottom || hasSelection() || state.scrollTop >= target) return;
    state.scrollTop = target;
    lastTop.current = target;
  }, [state]);
  // Syncs with what was rendered: the browser counts a later scrolling as a shift of what follows.
  useLayoutEffect(follow);
  // Syncs with the size of what renders or loads by itself: observers are called between layout and paint.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(follow);
    for (const { current } of [scrollRef, contentRef]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [scrollRef, contentRef, follow]);
  // Syncs with the scroll position: `use-stick-to-bottom` ignores what is scrolled while the content changes its height,
  // and would move a reader back who has left the end meanwhile.
  useLayoutEffect(() => {
    const element = scrollRef.current;
    const abort = new AbortController();
    const listen = (type: string, listener: () => void): void =>
      element?.addEventListener(type, listener, { passive: true, signal: abort.signal });
    let inputAt = -Infinity;
    for (const type of SCROLL_INPUTS) listen(type, () => (inputAt = performance.now()));
    listen("scroll", () => {
      const { scrollTop } = state;
      // A list that renders few of its rows also moves the view, when they have other heights than it had expected.
      const isReader = performance.now() - inputAt < INPUT_MS && scrollTop < lastTop.current;
      if (isReader && state.isAtBottom && !state.isNearBottom) stopScroll();
      lastTop.current = scrollTop;
    });
    return () => abort.abort();
  }, [scrollRef, state, stopScroll]);
  return follower;
};

/** Whether the reader has selected text, which must not move while it is being selected. */
const hasSelection = (): boolean => window.getSelection()?.type === "Range";
