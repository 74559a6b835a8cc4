"use client";
import { formatCountdown } from "@/lib/format-countdown";
import { useNow } from "./use-now";

type CountdownProps = {
  /** ISO date and time. */
  until: string;
  /** Stands in for the clock; without it the countdown ticks. */
  now?: number;
};

/** What is left until a moment, in figures of one width. Silent for screen readers while it ticks. */
export const Countdown = ({ until, now }: CountdownProps) => {
  const at = useNow(1_000, now);
  if (at === undefined) return null;
  return (
    <time dateTime={until} aria-live="off" className="tabular-nums">
      {formatCountdown(Date.parse(until) - at)}
    </time>
  );
};
