import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const listeners = new Set<() => void>();
let isPrinting = false;
let abort: AbortController | undefined;

const setPrinting = (next: boolean): void => {
  if (next === isPrinting) return;
  isPrinting = next;
  // The browser prints what is in the page when the event ends.
  flushSync(() => {
    for (const listener of listeners) listener();
  });
};

const startObserving = ({ signal }: AbortController): void => {
  window.addEventListener("beforeprint", () => setPrinting(true), { signal });
  window.addEventListener("afterprint", () => setPrinting(false), { signal });
  const media = window.matchMedia("print");
  media.addEventListener("change", () => setPrinting(media.matches), { signal });
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (!abort) startObserving((abort = new AbortController()));
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    abort?.abort();
    abort = undefined;
    isPrinting = false;
  };
};

/** Whether the page is being printed, when all of it must be in the page, and open. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
