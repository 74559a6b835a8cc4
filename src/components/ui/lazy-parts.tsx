"use client";
import { type ComponentType, lazy, useMemo, useState } from "react";
import { useIsHydrated } from "./use-is-hydrated";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose scripts are loaded when it is first shown, or asked for. */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Whether it is shown at once when it is rendered. */
  isLoaded: () => boolean;
  /** Loads it in parts. */
  load: () => Promise<unknown>;
};

/**
 * Creates a component whose scripts are loaded when it is first rendered. A part of the page that the server rendered is
 * loaded at once, because React would discard it if anything changed before hydration. A part that appears later is
 * loaded in several tasks, so that input is handled between them.
 */
export const lazyParts = <Props extends object>(
  loadWhole: Load<Props>,
  loadParts: Load<Props>,
): LazyPart<Props> => {
  let loading: ReturnType<Load<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = (load: Load<Props>) => (loading ??= remember(load()));
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
