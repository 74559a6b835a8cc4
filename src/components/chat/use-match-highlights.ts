import { useEffect, useEffectEvent, useRef } from "react";
import { findRanges } from "./find-ranges";
import { removeMatchHighlights, setMatchHighlights } from "./match-highlights";

/** Shortest time between two looks at the page, which changes many times a second while an answer is written. */
const LOOK_MS = 100;
/** More places are too many to be looked at, and slow to color. */
const MAX_HIGHLIGHTS = 2_000;

type MatchInput = {
  /** Empty for none. */
  q: string;
  /** The id of the message that the search shows. */
  shownId: string | undefined;
  /** Raised when it is shown again. */
  showCount: number;
};

/** Colors the text in the messages of the page, and opens what is folded around it in the message that is shown. */
export const useMatchHighlights = ({ q, shownId, showCount }: MatchInput): void => {
  /** What was opened last: the person may fold it again. */
  const opened = useRef("");
  const look = useEffectEvent(() => {
    const shown: Range[] = [];
    const others: Range[] = [];
    for (const text of document.querySelectorAll("[data-message-text]")) {
      const isShown =
        text.closest("[data-message-id]")?.getAttribute("data-message-id") === shownId;
      (isShown ? shown : others).push(...findRanges(text, q));
    }
    setMatchHighlights({
      shown: shown.slice(0, MAX_HIGHLIGHTS),
      others: others.slice(0, MAX_HIGHLIGHTS),
    });
    const key = `${shownId} ${showCount} ${q}`;
    const [first] = shown;
    if (!first || opened.current === key) return;
    opened.current = key;
    // As the browser's own search does it.
    first.startContainer.parentElement?.dispatchEvent(new Event("beforematch", { bubbles: true }));
  });
  // Syncs with the highlights of the browser, and with the messages, which are on the page while they are in view.
  useEffect(() => {
    if (q === "") return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lookedAt = 0;
    const lookNow = (): void => {
      timer = undefined;
      lookedAt = performance.now();
      look();
    };
    lookNow();
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(lookNow, Math.max(0, lookedAt + LOOK_MS - performance.now()));
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      removeMatchHighlights();
    };
  }, [q, shownId, showCount]);
};
