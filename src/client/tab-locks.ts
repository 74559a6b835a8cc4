/** Elects the leader among the tabs of a browser and detects closed tabs. */
export type TabLocks = {
  /** Makes this tab visible to the others; calls back once it is. */
  registerTab: (tabId: string, onRegistered: () => void) => void;
  unregisterTab: (tabId: string) => void;
  onTabClosed: (tabId: string, callback: () => void) => void;
  /**
   * Calls back once this tab is the leader, which may never happen.
   *
   * @returns a function that resigns or withdraws the request.
   */
  requestLeadership: (onElected: () => void) => () => void;
};

const LEADER_LOCK = "parley-feeds";
const toTabLock = (tabId: string): string => `parley-tab ${tabId}`;

/** Uses the Web Locks API: the browser releases a lock when its tab is closed or crashes. */
export const createWebLocks = (manager: LockManager): TabLocks => {
  const releaseByTab = new Map<string, () => void>();
  /** @returns a function that releases the lock or withdraws the request. */
  const requestLock = (name: string, onGranted: () => void): (() => void) => {
    const request = new AbortController();
    let release: () => void = () => request.abort();
    manager
      .request(name, { signal: request.signal }, () => {
        onGranted();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch((error: unknown) => {
        if (!request.signal.aborted) reportError(error);
      });
    return () => release();
  };
  return {
    registerTab: (tabId, onRegistered) => {
      releaseByTab.set(tabId, requestLock(toTabLock(tabId), onRegistered));
    },
    unregisterTab: (tabId) => releaseByTab.get(tabId)?.(),
    onTabClosed: (tabId, callback) => {
      manager.request(toTabLock(tabId), callback).catch(reportError);
    },
    requestLeadership: (onElected) => requestLock(LEADER_LOCK, onElected),
  };
};

/** Makes each tab its own leader, where the Web Locks API is missing, as over plain HTTP. */
export const isolatedLocks: TabLocks = {
  registerTab: (_tabId, onRegistered) => onRegistered(),
  unregisterTab: () => undefined,
  onTabClosed: () => undefined,
  requestLeadership: (onElected) => {
    onElected();
    return () => undefined;
  },
};
