import { clsx } from "clsx";
import { Clock } from "lucide-react";
import { formatCountdown } from "@/lib/format-countdown";
import { useNow } from "@/components/ui/use-now";

/** With less time than this left, the deadline stands out. */
const URGENT_MS = 5 * 60_000;

type DeadlineProps = {
  /** ISO date and time. */
  at: string;
  /** Stands in for the clock. */
  now?: number;
};

/** How long an answer is waited for. */
export const Deadline = ({ at, now }: DeadlineProps) => {
  const clock = useNow(1_000, now);
  if (clock === undefined) return null;
  const left = Date.parse(at) - clock;
  return (
    <span
      className={clsx(
        "inline-flex items-center gap-1.5 text-xs whitespace-nowrap",
        left <= 0 ? "text-danger" : left < URGENT_MS ? "text-warning" : "text-muted",
      )}
    >
      <Clock aria-hidden size={13} className="shrink-0" />
      {left <= 0 ? (
        "Time is up"
      ) : (
        <span>
          Answer within{" "}
          <time dateTime={at} title={new Date(at).toLocaleString()} className="tabular-nums">
            {formatCountdown(left)}
          </time>
        </span>
      )}
    </span>
  );
};
