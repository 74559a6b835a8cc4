import { useEffect, useMemo, useState } from "react";
import { createBlockSplitter } from "./split-blocks";
import { runInFrame } from "./frame-queue";

/**
 * Returns the beginning of a growing text, which gets one more block in each frame: to render all blocks that have
 * arrived together is a long task on a slow device.
 *
 * @param isGrowing false to return the whole text.
 */
export const useRevealedText = (text: string, isGrowing: boolean): string => {
  const [split] = useState(createBlockSplitter);
  const blocks = useMemo(() => (isGrowing ? split(text) : [text]), [split, text, isGrowing]);
  const [count, setCount] = useState(blocks.length);
  const isRevealed = count >= blocks.length;
  // Syncs with the frames of the browser.
  useEffect(
    () => (isRevealed ? undefined : runInFrame(() => setCount(count + 1))),
    [isRevealed, count],
  );
  return blocks.slice(0, Math.max(1, count)).join("");
};
