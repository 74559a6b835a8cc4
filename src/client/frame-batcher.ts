/** Longest delay of a batch. Hidden pages draw no frames, but their title and cache must follow. */
const MAX_DELAY_MS = 200;

/** Collects items and passes them on, in order, at most once per animation frame. */
export const createFrameBatcher = <Item>(onBatch: (items: readonly Item[]) => void) => {
  let items: Item[] = [];
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (items.length === 0) return;
    const batch = items;
    items = [];
    onBatch(batch);
  };
  return {
    add: (newItems: readonly Item[]): void => {
      items.push(...newItems);
      cancel ??= scheduleFlush(flush);
    },
    /** Passes on pending items at once. */
    flush,
  };
};

const scheduleFlush = (flush: () => void): (() => void) => {
  // The page may become hidden while it waits for the frame, so a timer guarantees the flush.
  const timer = setTimeout(flush, MAX_DELAY_MS);
  const frame = requestAnimationFrame(flush);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
};
