import { clsx } from "clsx";
import {
  Ban,
  Bot,
  Check,
  CircleAlert,
  CircleSlash,
  Clock,
  Hand,
  Hourglass,
  type LucideIcon,
  PenLine,
  ShieldQuestion,
} from "lucide-react";
import { Spinner } from "@/components/ui/spinner";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import type { CardState } from "./card-state";

/** A word and an icon for a call's state, and their color. */
export type Mark = {
  word: string;
  icon: LucideIcon | "spinner";
  tone: string;
  /** For a state that the form of the required action states already. */
  isWordHidden?: boolean;
};

const MARK: Record<CardState, Mark> = {
  streaming: { word: "Preparing", icon: PenLine, tone: "text-muted" },
  running: { word: "Running", icon: "spinner", tone: "text-accent" },
  awaiting_result: {
    word: "Needs you",
    icon: Hand,
    tone: "text-warning",
    isWordHidden: true,
  },
  claimed: { word: "Being worked on", icon: Bot, tone: "text-accent" },
  awaiting_approval: {
    word: "Needs approval",
    icon: ShieldQuestion,
    tone: "text-warning",
    isWordHidden: true,
  },
  awaiting_agents: { word: "Waiting for agents", icon: Hourglass, tone: "text-accent" },
  completed: { word: "Done", icon: Check, tone: "text-muted" },
  error: { word: "Failed", icon: CircleAlert, tone: "text-danger" },
  cancelled: { word: "Cancelled", icon: CircleSlash, tone: "text-muted" },
  timed_out: { word: "Timed out", icon: Clock, tone: "text-muted" },
  denied: { word: "Denied", icon: Ban, tone: "text-danger" },
};

type StateMarkProps = {
  state: CardState;
  /** Replaces the state's mark, for a tool with states of its own. */
  mark?: Mark | undefined;
  /** How many of several calls are in the state. */
  count?: number | undefined;
};

export const StateMark = ({ state, mark = MARK[state], count }: StateMarkProps) => (
  <MarkLabel mark={mark} count={count} />
);

/** Shows a mark as an icon and a word, which may be for screen readers only; never by color alone. */
export const MarkLabel = ({ mark, count }: { mark: Mark; count?: number | undefined }) => {
  const { icon: Icon, tone, isWordHidden = false } = mark;
  const word = count === undefined ? mark.word : `${count} ${mark.word.toLowerCase()}`;
  return (
    <span className={clsx("flex shrink-0 items-center gap-1.5 text-xs font-medium", tone)}>
      {Icon === "spinner" ? (
        <Spinner size={14} />
      ) : (
        <Icon aria-hidden size={14} className="shrink-0" />
      )}
      {isWordHidden ? <VisuallyHidden>{word}</VisuallyHidden> : word}
    </span>
  );
};
