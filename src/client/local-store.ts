import { useCallback, useSyncExternalStore } from "react";

/** Wraps localStorage: values are shared by all tabs, and subscribers are notified of changes. */
export const createLocalStore = () => {
  const listeners = new Map<string, Set<() => void>>();
  /** Used where the browser blocks localStorage or it is full. */
  const memory = new Map<string, string>();

  const notify = (key: string): void => listeners.get(key)?.forEach((listener) => listener());
  if (typeof window !== "undefined") {
    window.addEventListener("storage", ({ key }) => {
      // Another tab has stored a newer value.
      if (key === null) memory.clear();
      else memory.delete(key);
      if (key === null) listeners.forEach((_, name) => notify(name));
      else notify(key);
    });
  }

  const set = (key: string, value: string | null): void => {
    memory.delete(key);
    try {
      if (value === null) window.localStorage.removeItem(key);
      else window.localStorage.setItem(key, value);
    } catch {
      // Disabled or full: the value lasts until the page is closed.
      if (value !== null) memory.set(key, value);
    }
    notify(key);
  };

  return {
    get: (key: string): string | null => {
      // A full storage still has the old value.
      const unstored = memory.get(key);
      if (unstored !== undefined) return unstored;
      try {
        return window.localStorage.getItem(key);
      } catch {
        // Disabled storage throws on every access.
        return null;
      }
    },
    /** @param value null removes the key. */
    set,
    /** Removes all keys that end so. */
    deleteByEnd: (end: string): void => {
      const keys = [...memory.keys(), ...listStoredKeys()];
      for (const key of keys) if (key.endsWith(end)) set(key, null);
    },
    /** @returns a function that unsubscribes. */
    subscribe: (key: string, listener: () => void): (() => void) => {
      const others = listeners.get(key) ?? new Set();
      listeners.set(key, others.add(listener));
      return () => others.delete(listener);
    },
  };
};

const listStoredKeys = (): string[] => {
  try {
    const { localStorage } = window;
    return Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  } catch {
    return [];
  }
};

export const localStore = createLocalStore();

/** Reads and writes one key of the local store; null when it is not set, and on the server. */
export const useStoredValue = (key: string): [string | null, (value: string | null) => void] => {
  const subscribe = useCallback(
    (listener: () => void) => localStore.subscribe(key, listener),
    [key],
  );
  const value = useSyncExternalStore(
    subscribe,
    () => localStore.get(key),
    () => null,
  );
  const setValue = useCallback((next: string | null) => localStore.set(key, next), [key]);
  return [value, setValue];
};
