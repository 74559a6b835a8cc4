import { useSyncExternalStore } from "react";
import type { NewApiKey } from "@/contract/api-key";

/**
 * The key that was made last in this page. In memory only, so that it ends with the page: signing
 * out, signing in and reloading load another one.
 */
let freshKey: NewApiKey | undefined;
const listeners = new Set<() => void>();

const setFreshKey = (next: NewApiKey | undefined): void => {
  freshKey = next;
  for (const listener of listeners) listener();
};

/** Keeps a new key for the examples of the API reference. */
export const keepFreshKey = (key: NewApiKey): void => setFreshKey(key);

/** @param id forgets this key only; without it, any. */
export const forgetFreshKey = (id?: string): void => {
  if (id === undefined || freshKey?.id === id) setFreshKey(undefined);
};

/** Returns the key that was just made in this page, if any. */
export const useFreshKey = (): NewApiKey | undefined =>
  useSyncExternalStore(
    subscribe,
    () => freshKey,
    () => undefined,
  );

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
