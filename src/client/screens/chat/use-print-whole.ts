import { useEffect, useEffectEvent, useRef } from "react";
import type { useOlderMessages } from "@/client/use-older-messages";

/** Loads all messages before the chat is printed by Ctrl+P. The browser's menu prints what is loaded. */
export const usePrintWhole = (
  hasOlder: boolean,
  older: ReturnType<typeof useOlderMessages>,
): void => {
  const isRequested = useRef(false);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isPrint = event.key.toLowerCase() === "p" && (event.ctrlKey || event.metaKey);
    if (!isPrint || event.shiftKey || event.altKey || !hasOlder) return;
    event.preventDefault();
    isRequested.current = true;
    older.load(0);
  });
  // Syncs with the keyboard.
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  // Syncs with the print dialog of the browser.
  useEffect(() => {
    if (hasOlder && !older.hasFailed) return;
    const isReady = isRequested.current && !hasOlder;
    isRequested.current = false;
    if (isReady) window.print();
  }, [hasOlder, older.hasFailed]);
};
