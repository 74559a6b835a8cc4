import { useEffect, useState } from "react";
import { ToolCalls } from "./load-cards";

/** Longest time that content waits for its cards; later, cards have placeholders. */
const MAX_WAIT_MS = 3_000;

/**
 * Loads the cards of tool calls when they are needed.
 *
 * @returns whether nothing needs to wait for them: they are loaded, cannot be loaded, or take too long.
 */
export const useCardsReady = (isNeeded: boolean): boolean => {
  const [isReady, setReady] = useState(ToolCalls.isLoaded);
  const isWaiting = isNeeded && !isReady;
  // Syncs with the scripts of the page.
  useEffect(() => {
    if (!isWaiting) return undefined;
    const stopWaiting = () => setReady(true);
    const timer = setTimeout(stopWaiting, MAX_WAIT_MS);
    // The cards themselves report that they cannot be loaded.
    ToolCalls.load().then(stopWaiting, stopWaiting);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isReady;
};
