import { clsx } from "clsx";
import { Clock } from "lucide-react";
import { formatCountdown } from "@/lib/format";
import { useNow } from "@/components/ui/use-now";

/** The deadline is highlighted in its last five minutes. */
const URGENT_MS = 5 * 60_000;

type DeadlineProps = {
  /** ISO date and time. */
  at: string;
  /** A fixed time instead of the clock. */
  now?: number;
};

/** Shows the time until the deadline of a required action. */
export const Deadline = ({ at, now }: DeadlineProps) => {
  const clock = useNow(1_000, now);
  if (clock === undefined) return null;
  const remainingMs = Date.parse(at) - clock;
  return (
    <span
      className={clsx(
        "inline-flex items-center gap-1.5 text-xs whitespace-nowrap",
        remainingMs <= 0 ? "text-danger" : remainingMs < URGENT_MS ? "text-warning" : "text-muted",
      )}
    >
      <Clock aria-hidden size={13} className="shrink-0" />
      {remainingMs <= 0 ? (
        "Time is up"
      ) : (
        <span>
          Answer within{" "}
          <time dateTime={at} title={new Date(at).toLocaleString()} className="tabular-nums">
            {formatCountdown(remainingMs)}
          </time>
        </span>
      )}
    </span>
  );
};
