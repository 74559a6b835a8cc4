/**
 * Publishes committed changes to all processes of a database. A notice is a hint: it may come late, twice, or not at all, so
 * its listeners read the database, and poll.
 */
export type ChangeBus = {
  /** Emits the notices in this process soon, in the others within milliseconds. "" stands for changes that are not known. */
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
      // The committer continues first, and caches what the listeners would read.
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
