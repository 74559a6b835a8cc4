"use client";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { runInFrame } from "./frame-queue";
import { useIsHydrated } from "./use-is-hydrated";
import { importPart } from "@/lib/import-part";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

type Loading = {
  /** Whether it is shown at once when it is rendered. */
  isLoaded: () => boolean;
  /** Loads it in parts. */
  load: () => Promise<unknown>;
};

type Place = {
  /** Shown while the scripts are loaded, unless the page came with the part itself. */
  fallback?: ReactNode;
  /** Classes of the element around the part, which has no box of its own without them. */
  className?: string;
};

/** A component whose scripts are loaded when it is first shown, or asked for. */
export type LazyPart<Props> = ComponentType<Props & Place> & Loading;

/**
 * Creates a component whose scripts are loaded when it is first rendered. A part that the server rendered stays as it
 * came until then: within a Suspense boundary React would replace it by the fallback as soon as anything around it
 * changed. A part that appears later is loaded in several tasks, so that input is handled between them; a small one
 * needs one task.
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
  const loadServed = () => loadOnce(loadWhole);
  const Whole = lazy(loadServed);
  const Parts = lazy(() => loadOnce(loadParts));
  const Part = (props: Props) => {
    // What is loaded never waits: React would show it up to 300 ms later.
    const [Loaded] = useState(() => loaded ?? (isServer ? Whole : Parts));
    return <Loaded {...props} />;
  };
  const LazyParts = ({ fallback, className = "contents", ...props }: Props & Place) => {
    const isKept = useIsKept(loadServed);
    if (isKept && !isServer) return <KeptHtml className={className} />;
    const part = <Part {...(props as unknown as Props)} />;
    return (
      <div key="part" className={className}>
        {isKept ? part : <Suspense fallback={fallback}>{part}</Suspense>}
      </div>
    );
  };
  return Object.assign(LazyParts, {
    isLoaded: () => loaded !== undefined,
    load: () => loadOnce(loadParts),
  });
};

const isServer = typeof window === "undefined";

/** Stands for what the server has rendered: React leaves the content of such an element alone. */
const KeptHtml = ({ className }: { className: string }) => (
  <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
);

/** Returns whether a part stays as it came with the page. */
const useIsKept = (load: () => Promise<unknown>): boolean => {
  const [isKept, setKept] = useState(!useIsHydrated());
  // Syncs with the scripts of the page; the part itself reports that they cannot be loaded.
  useEffect(() => {
    if (!isKept) return undefined;
    let isMounted = true;
    let cancel: (() => void) | undefined;
    const show = (): void => {
      if (isMounted) cancel = runInFrame(() => setKept(false));
    };
    load().then(show, show);
    return () => {
      isMounted = false;
      cancel?.();
    };
  }, [isKept, load]);
  return isKept;
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
