/** What tells the tabs of one browser which of them leads and which are gone. */
export type TabLocks = {
  /** Shows the others that this tab is there; calls back once they can see it. */
  holdTab: (tab: string, held: () => void) => void;
  releaseTab: (tab: string) => void;
  whenTabGone: (tab: string, gone: () => void) => void;
  /**
   * Calls back once this tab leads, which may be never.
   *
   * @returns gives the lead up, or stops waiting for it.
   */
  holdLead: (lead: () => void) => () => void;
};

const LEAD = "parley-stream";
const tabLock = (tab: string): string => `parley-tab ${tab}`;

/** The browser frees a lock when its tab closes or crashes. */
export const webLocks = (manager: LockManager): TabLocks => {
  const held = new Map<string, () => void>();
  const hold = (name: string, granted: () => void): (() => void) => {
    const waiting = new AbortController();
    let release: () => void = () => waiting.abort();
    manager
      .request(name, { signal: waiting.signal }, () => {
        granted();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) reportError(error);
      });
    return () => release();
  };
  return {
    holdTab: (tab, granted) => {
      held.set(tab, hold(tabLock(tab), granted));
    },
    releaseTab: (tab) => held.get(tab)?.(),
    whenTabGone: (tab, gone) => {
      manager.request(tabLock(tab), gone).catch(reportError);
    },
    holdLead: (lead) => hold(LEAD, lead),
  };
};

/** For browsers without locks, and pages served over plain HTTP: each tab leads itself. */
export const ownLead: TabLocks = {
  holdTab: (_tab, held) => held(),
  releaseTab: () => undefined,
  whenTabGone: () => undefined,
  holdLead: (lead) => {
    lead();
    return () => undefined;
  },
};
