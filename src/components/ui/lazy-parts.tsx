"use client";
import { type ComponentType, lazy, useMemo, useState } from "react";
import { useIsHydrated } from "./use-is-hydrated";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * Creates a component whose scripts are loaded when it is first shown. What a page comes with is loaded at once: React
 * renders it anew if anything changes before. What appears later is loaded in parts, each in a task of its own, as input
 * waits for a task.
 */
export const lazyParts = <Props extends object>(
  loadWhole: Load<Props>,
  loadParts: Load<Props>,
): ComponentType<Props> => {
  let loading: ReturnType<Load<Props>> | undefined;
  const Whole = lazy(() => (loading ??= loadWhole()));
  const Parts = lazy(() => (loading ??= loadParts()));
  return function LazyParts(props: Props) {
    const isHydrated = useIsHydrated();
    const [Loaded] = useState(() => (isHydrated ? Parts : Whole));
    // Nothing changes for it when the page is hydrated.
    return useMemo(() => <Loaded {...props} />, [Loaded, props]);
  };
};
