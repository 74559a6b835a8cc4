import { type RefObject, useEffect } from "react";
import { isTouchDevice } from "./text-focus";

/**
 * Moves the focus to an element when the focused element is removed from the page; otherwise keyboard
 * users would start at the top again.
 */
export const useFocusFallback = (fallback: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    if (isTouchDevice()) return;
    let lastFocused: Element | undefined;
    let timer: number | undefined;
    const restoreFocus = (): void => {
      if (lastFocused === undefined || lastFocused.isConnected) return;
      lastFocused = undefined;
      // Dialogs and menus restore the focus themselves, shortly after they are removed.
      timer = window.setTimeout(() => {
        if (document.activeElement === document.body)
          fallback.current?.focus({ preventScroll: true });
      });
    };
    const handleFocusIn = ({ target }: FocusEvent): void => {
      lastFocused = target instanceof Element ? target : undefined;
    };
    /** Removing an element also fires focusout, so only a blur of an element that stays counts as intended. */
    const handleFocusOut = ({ target }: FocusEvent): void =>
      queueMicrotask(() => {
        const isIntended =
          target === lastFocused && lastFocused?.isConnected && !lastFocused.matches(":disabled");
        if (isIntended) lastFocused = undefined;
      });
    const observer = new MutationObserver(restoreFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", handleFocusIn);
    document.addEventListener("focusout", handleFocusOut);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("focusin", handleFocusIn);
      document.removeEventListener("focusout", handleFocusOut);
    };
  }, [fallback]);
};
