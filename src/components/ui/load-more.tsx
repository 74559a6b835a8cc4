"use client";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "./button";

type LoadMoreProps = {
  label: string;
  isLoading: boolean;
  /** Whether the last load failed, so that only a click starts the next one. */
  hasFailed: boolean;
  /** Whether only a click loads, such as while the list still has to scroll to where it starts. */
  isPaused?: boolean;
  onLoad: () => void;
};

/** The end of a list that has more: loads it when it is scrolled into view, or by a click. */
export const LoadMore = ({
  label,
  isLoading,
  hasFailed,
  isPaused = false,
  onLoad,
}: LoadMoreProps) => {
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(onLoad);
  const isWaiting = !isLoading && !hasFailed && !isPaused;
  // Syncs with the scroll position. Observed anew after each load, as the end may still be in view.
  useEffect(() => {
    if (!isWaiting || end.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) load();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWaiting]);
  return (
    <div ref={end} className="flex justify-center">
      <Button size="sm" variant="ghost" isBusy={isLoading} onClick={onLoad}>
        {hasFailed ? "Try again" : label}
      </Button>
    </div>
  );
};
