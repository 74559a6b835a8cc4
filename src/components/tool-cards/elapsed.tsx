"use client";
import { useNow } from "@/components/ui/use-now";
import { formatDuration } from "@/lib/format";

/** Shorter durations are not shown. */
const SHOWN_FROM_MS = 1_000;

type ElapsedProps = {
  startedAt: string;
  completedAt: string | undefined;
  /** Stands in for the clock while the call runs. */
  now: number | undefined;
};

/** How long a call took, or how long it has been running. */
export const Elapsed = ({ startedAt, completedAt, now }: ElapsedProps) => {
  const ticking = useNow(1_000, completedAt === undefined ? now : Date.parse(completedAt));
  const ms = ticking === undefined ? Number.NaN : ticking - Date.parse(startedAt);
  if (!(ms >= SHOWN_FROM_MS)) return null;
  return (
    <span className="hidden shrink-0 text-xs text-muted tabular-nums sm:inline">
      {formatDuration(ms)}
    </span>
  );
};
