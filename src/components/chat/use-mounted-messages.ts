import { useEffect, useEffectEvent, useLayoutEffect, useState, useTransition } from "react";
import { pauseFrames, runInFrame } from "@/components/ui/frame-queue";
import { loadMarkdownInParts } from "@/components/ui/load-markdown";
import type { MessageView } from "@/contract/chat-view";

/** Size of the messages that are rendered at a time: some tens of milliseconds on a slow device. */
const MAX_SLICE_SIZE = 4_000;
/** Size of a list that is rendered at once. */
const MAX_WHOLE_SIZE = 8_000;
/** About what a card of a tool call costs, in characters of text. */
const CARD_SIZE = 500;

/**
 * Renders a long list of messages in slices of about one size, from the end on, which leaves the page time to react
 * between them.
 *
 * @param isActive false to render all at once; read at the first render.
 * @returns the messages to render.
 */
export const useMountedMessages = (
  messages: readonly MessageView[],
  isActive: boolean,
): readonly MessageView[] => {
  /** How many of the oldest messages are not rendered yet. */
  const [hiddenCount, setHiddenCount] = useState(() =>
    isActive && isLong(messages) ? messages.length : 0,
  );
  const [isRendering, startTransition] = useTransition();
  const showMore = useEffectEvent(() =>
    startTransition(() => setHiddenCount(findSliceStart(messages, hiddenCount))),
  );
  // Syncs with the frames of the browser: the colors of code wait for the messages.
  useLayoutEffect(() => (isRendering ? pauseFrames() : undefined), [isRendering]);
  // Syncs with the frames of the browser.
  useEffect(() => {
    if (hiddenCount === 0) return undefined;
    let cancel: (() => void) | undefined;
    let isMounted = true;
    // Texts that wait for their renderer would all be rendered at once when it is loaded.
    loadMarkdownInParts()
      .then(() => {
        if (isMounted) cancel = runInFrame(showMore);
      })
      .catch(reportError);
    return () => {
      isMounted = false;
      cancel?.();
    };
  }, [hiddenCount]);
  return hiddenCount === 0 ? messages : messages.slice(Math.min(hiddenCount, messages.length));
};

const isLong = (messages: readonly MessageView[]): boolean =>
  messages.reduce((size, message) => size + measureMessage(message), 0) > MAX_WHOLE_SIZE;

/** @returns the index of the first message of the slice that ends before `end`. */
const findSliceStart = (messages: readonly MessageView[], end: number): number => {
  let start = Math.min(end, messages.length);
  let size = 0;
  while (start > 0) {
    size += measureMessage(messages[start - 1]);
    // A message that is longer is a slice of its own.
    if (size > MAX_SLICE_SIZE && start < end) break;
    start -= 1;
  }
  return start;
};

const measureMessage = (message: MessageView | undefined): number =>
  (message?.parts ?? []).reduce(
    (size, part) => size + ("text" in part ? part.text.length : CARD_SIZE),
    0,
  );
