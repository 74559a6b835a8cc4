import { type RefObject, useEffect } from "react";
import { isTouchDevice } from "@/components/ui/text-focus";

/**
 * Takes the focus when the element that had it has gone from the page: a keyboard would begin at the top
 * again.
 */
export const useFocusHome = (home: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    if (isTouchDevice()) return;
    let last: Element | undefined;
    let timer: number | undefined;
    const takeBack = (): void => {
      if (last === undefined || last.isConnected) return;
      last = undefined;
      // Dialogs and menus give the focus back themselves, a moment after they have gone.
      timer = window.setTimeout(() => {
        if (document.activeElement === document.body) home.current?.focus({ preventScroll: true });
      });
    };
    const remember = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : undefined;
    };
    /** Who leaves an element for the bare page wants it so; an element that goes is left too. */
    const forget = ({ target }: FocusEvent): void =>
      queueMicrotask(() => {
        const isLeft = target === last && last?.isConnected && !last.matches(":disabled");
        if (isLeft) last = undefined;
      });
    const observer = new MutationObserver(takeBack);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    document.addEventListener("focusout", forget);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", forget);
    };
  }, [home]);
};
