"use client";
import { formatCountdown } from "@/lib/format";
import { useNow } from "./use-now";

type CountdownProps = {
  /** ISO date and time. */
  until: string;
  /** A fixed time in milliseconds, for stories; without it the countdown ticks. */
  now?: number;
};

/** The time remaining until a moment. Screen readers do not announce each tick. */
export const Countdown = ({ until, now }: CountdownProps) => {
  const currentTime = useNow(1_000, now);
  if (currentTime === undefined) return null;
  return (
    <time dateTime={until} aria-live="off" className="tabular-nums">
      {formatCountdown(Date.parse(until) - currentTime)}
    </time>
  );
};
