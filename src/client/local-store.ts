/** Kept by the browser under a name; the same in all tabs, and told to them when it changes. */
const createLocalStore = () => {
  const listeners = new Map<string, Set<() => void>>();
  /** Stands in where the browser lets nothing be kept. */
  const memory = new Map<string, string>();

  const tell = (key: string): void => listeners.get(key)?.forEach((changed) => changed());
  if (typeof window !== "undefined") {
    window.addEventListener("storage", ({ key }) => {
      if (key === null) listeners.forEach((_, name) => tell(name));
      else tell(key);
    });
  }

  return {
    get: (key: string): string | null => {
      try {
        return window.localStorage.getItem(key) ?? memory.get(key) ?? null;
      } catch {
        // Storage that is switched off throws on every use.
        return memory.get(key) ?? null;
      }
    },
    /** @param value null forgets it. */
    set: (key: string, value: string | null): void => {
      memory.delete(key);
      try {
        if (value === null) window.localStorage.removeItem(key);
        else window.localStorage.setItem(key, value);
      } catch {
        // Off or full: the value lives as long as the page.
        if (value !== null) memory.set(key, value);
      }
      tell(key);
    },
    subscribe: (key: string, changed: () => void): (() => void) => {
      const others = listeners.get(key) ?? new Set();
      listeners.set(key, others.add(changed));
      return () => others.delete(changed);
    },
  };
};

export const localStore = createLocalStore();
