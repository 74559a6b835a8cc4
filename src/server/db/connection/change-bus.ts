/**
 * Tells what has been committed to all processes that use the same database. A notice is a hint: it may come late, twice, or
 * not at all, so whoever gets one reads the database, and polls.
 */
export type ChangeBus = {
  /** Tells this process soon, and the others within milliseconds. "" stands for changes that are not known. */
  publish: (notices: readonly string[]) => void;
  /**
   * Calls the listener with the notices of all processes from now on, and with "" when some may have been missed. The listener
   * must not throw.
   *
   * @returns a function that unsubscribes.
   */
  subscribe: (listener: NoticeListener) => Promise<() => Promise<void>>;
};

export type NoticeListener = (notice: string) => void;

/** The bus of a process that has its database for itself. */
export const createLocalBus = (): ChangeBus => {
  const listeners = new Set<{ listener: NoticeListener }>();
  let pending: string[] = [];
  const emit = (): void => {
    const notices = pending;
    pending = [];
    for (const notice of notices) for (const { listener } of listeners) listener(notice);
  };
  return {
    publish: (notices) => {
      if (notices.length === 0) return;
      // Whoever has committed goes on first, and caches what those who are told would read.
      if (pending.length === 0) setImmediate(emit);
      pending.push(...notices);
    },
    subscribe: (listener) => {
      // A listener of its own, so that the same function may listen twice.
      const entry = { listener };
      listeners.add(entry);
      return Promise.resolve(() => {
        listeners.delete(entry);
        return Promise.resolve();
      });
    },
  };
};
