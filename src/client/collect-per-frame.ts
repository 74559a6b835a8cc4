/** A hidden page draws no frames; its title and its drafts still follow. */
const HIDDEN_FLUSH_MS = 200;

/** Gathers what comes in and hands it on once per frame, in order. */
export const collectPerFrame = <Item>(hand: (items: readonly Item[]) => void) => {
  let items: Item[] = [];
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (items.length === 0) return;
    const taken = items;
    items = [];
    hand(taken);
  };
  return {
    add: (more: readonly Item[]): void => {
      items.push(...more);
      cancel ??= schedule(flush);
    },
    /** Hands on at once what is still there. */
    flush,
  };
};

const schedule = (run: () => void): (() => void) => {
  // A page that is hidden while it waits for a frame gets none, so a timer stands behind it.
  const timer = setTimeout(run, HIDDEN_FLUSH_MS);
  const frame = requestAnimationFrame(run);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
};
