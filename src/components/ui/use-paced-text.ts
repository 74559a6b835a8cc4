import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { runInFrame } from "./frame-queue";

/** Shortest time from one change of a growing text to the next, in ms: faster ones are not read, but rendered. */
const MIN_PAUSE_MS = 100;
/** A change that takes longer than this, in ms, is seen as a frame that is left out. */
const SMOOTH_MS = 30;
/** Of twenty frames one may then be left out, in ms. */
const LONG_PAUSE_MS = 350;

/**
 * Returns a growing text, which changes at most ten times a second, and more rarely when it takes long to render: a
 * list or a table is parsed as a whole until it has ended.
 *
 * @param isGrowing false to return the newest text.
 */
export const usePacedText = (text: string, isGrowing: boolean): string => {
  const [shown, setShown] = useState(text);
  const newest = useRef(text);
  const changedAt = useRef(0);
  const nextAt = useRef(0);
  const isBehind = isGrowing && shown !== text;

  useLayoutEffect(() => {
    newest.current = text;
  }, [text]);

  // Measures how long the change took until the page was laid out by React.
  useLayoutEffect(() => {
    const tookMs = performance.now() - changedAt.current;
    const pauseMs = tookMs > SMOOTH_MS ? LONG_PAUSE_MS : MIN_PAUSE_MS;
    nextAt.current = performance.now() + (changedAt.current === 0 ? 0 : pauseMs);
  }, [shown]);

  // Syncs with the clock and the frames of the browser.
  useEffect(() => {
    if (!isBehind) return undefined;
    let cancel: (() => void) | undefined;
    const change = (): void => {
      changedAt.current = performance.now();
      setShown(newest.current);
    };
    const timer = setTimeout(
      () => {
        cancel = runInFrame(change);
      },
      Math.max(0, nextAt.current - performance.now()),
    );
    return () => {
      clearTimeout(timer);
      cancel?.();
    };
  }, [isBehind, shown]);

  return isGrowing ? shown : text;
};
