"use client";
import { type ComponentType, lazy, useEffect, useMemo, useState } from "react";
import { useIsHydrated } from "./use-is-hydrated";
import { importPart } from "@/lib/import-part";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

type Loading = {
  /** Whether it is shown at once when it is rendered. */
  isLoaded: () => boolean;
  /** Loads it in parts. */
  load: () => Promise<unknown>;
};

/** A component whose scripts are loaded when it is first shown, or asked for. */
export type LazyPart<Props> = ComponentType<Props> & Loading;

/**
 * Creates a component whose scripts are loaded when it is first rendered. A part of the page that the server rendered is
 * loaded at once, because React would discard it if anything changed before hydration. A part that appears later is
 * loaded in several tasks, so that input is handled between them; a small one needs one task.
 */
export const lazyParts = <Props extends object>(
  loadWhole: Load<Props>,
  loadParts = loadWhole,
): LazyPart<Props> => {
  let loading: ReturnType<Load<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = (load: Load<Props>) => (loading ??= remember(importPart(load)));
  const remember: (part: ReturnType<Load<Props>>) => typeof part = async (part) => {
    loaded = (await part).default;
    return part;
  };
  const Whole = lazy(() => loadOnce(loadWhole));
  const Parts = lazy(() => loadOnce(loadParts));
  const LazyParts = (props: Props) => {
    const isHydrated = useIsHydrated();
    // What is loaded never waits: React would show it up to 300 ms later.
    const [Loaded] = useState(() => loaded ?? (isHydrated ? Parts : Whole));
    // Nothing changes for it when the page is hydrated.
    return useMemo(() => <Loaded {...props} />, [Loaded, props]);
  };
  return Object.assign(LazyParts, {
    isLoaded: () => loaded !== undefined,
    load: () => loadOnce(loadParts),
  });
};

/** Longest time that content waits for a part; later, the part has a placeholder. */
const MAX_WAIT_MS = 5_000;

/**
 * Loads a part when it is needed, for content that must not be shown before it.
 *
 * @returns whether nothing needs to wait: the part is loaded, cannot be loaded, or takes too long.
 */
export const usePartReady = (part: Loading, isNeeded: boolean): boolean => {
  const [isReady, setReady] = useState(part.isLoaded);
  const isWaiting = isNeeded && !isReady;
  // Syncs with the scripts of the page.
  useEffect(() => {
    if (!isWaiting) return undefined;
    const stopWaiting = () => setReady(true);
    const timer = setTimeout(stopWaiting, MAX_WAIT_MS);
    // The part itself reports that it cannot be loaded.
    part.load().then(stopWaiting, stopWaiting);
    return () => clearTimeout(timer);
  }, [part, isWaiting]);
  return isReady;
};
