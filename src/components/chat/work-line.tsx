"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { NAMED_OUTCOMES, type NamedOutcome, type TurnWork } from "./turn-work";

type WorkLineProps = {
  work: Pick<TurnWork, "isFinished" | "callCount" | "workedMs" | "outcomes">;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
};

/** Says how long a turn has worked, with how many calls, and opens its work. */
const WorkLine = ({ work, isOpen, onToggle }: WorkLineProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={() => onToggle(!isOpen)}
    className="pointer-events-auto flex min-h-7 max-w-full min-w-0 items-center gap-1.5 rounded-sm text-left text-sm text-muted transition-colors hover:text-text pointer-coarse:min-h-9"
  >
    <ChevronRight
      aria-hidden
      size={14}
      className={clsx("shrink-0 transition-transform", isOpen && "rotate-90")}
    />
    <span className="truncate">
      {/* A new element for a new text, which a translated page would not show in the old one. */}
      <span key={describeWork(work)}>{describeWork(work)}</span>
      {NAMED_OUTCOMES.map((outcome) => (
        <Outcome key={outcome} outcome={outcome} count={work.outcomes[outcome] ?? 0} />
      ))}
    </span>
  </button>
);

export default WorkLine;

const describeWork = ({ isFinished, workedMs, callCount }: WorkLineProps["work"]): string => {
  const steps = `${callCount} ${callCount === 1 ? "step" : "steps"}`;
  return isFinished ? `Worked ${formatWorked(workedMs)} · ${steps}` : `Working · ${steps}`;
};

/** The words of the calls' cards. */
const WORD: Record<NamedOutcome, string> = {
  error: "failed",
  denied: "denied",
  timed_out: "timed out",
  cancelled: "cancelled",
};

const Outcome = ({ outcome, count }: { outcome: NamedOutcome; count: number }) =>
  count > 0 && (
    <>
      {" · "}
      <span key={count} className={clsx(DANGERS.has(outcome) && "text-danger")}>
        {`${count} ${WORD[outcome]}`}
      </span>
    </>
  );

const DANGERS: ReadonlySet<NamedOutcome> = new Set<NamedOutcome>(["error", "denied"]);

/** Formats a time in whole units, rounded up: `6 s`, `3 min 5 s`, `2 h 7 min`. */
const formatWorked = (ms: number): string => {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 > 0 ? ` ${seconds % 60} s` : ""}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
};
