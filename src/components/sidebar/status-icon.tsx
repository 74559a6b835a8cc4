import { CircleAlert, CirclePause, Hand, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "@/components/ui/spinner";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import type { ChatStatus } from "@/contract/chat";

type StatusDisplay = { label: string; icon: ReactNode };

const WORKING: StatusDisplay = {
  label: "Working",
  icon: (
    <span className="text-accent">
      <Spinner size={14} />
    </span>
  ),
};

const NEEDS_YOU: StatusDisplay = {
  label: "Needs you",
  icon: <Hand aria-hidden size={14} className="shrink-0 text-warning" />,
};

const DISPLAY: Record<ChatStatus, StatusDisplay | undefined> = {
  waiting: undefined,
  pending: WORKING,
  running: WORKING,
  interrupting: {
    label: "Stopping",
    icon: <CirclePause aria-hidden size={14} className="shrink-0 text-muted" />,
  },
  // Of a chat that does not need the person: programs work on its calls.
  requires_action: WORKING,
  awaiting_agents: {
    label: "Waiting for agents",
    icon: <Hourglass aria-hidden size={14} className="shrink-0 text-accent" />,
  },
  error: {
    label: "Failed",
    icon: <CircleAlert aria-hidden size={14} className="shrink-0 text-danger" />,
  },
};

type StatusIconProps = {
  status: ChatStatus;
  /** Whether it waits for the person, also where it rests after a question. */
  needsYou: boolean;
  isUnread: boolean;
};

/** A chat's status as an icon with a label for screen readers, or a dot if an idle chat is unread. */
export const StatusIcon = ({ status, needsYou, isUnread }: StatusIconProps) => {
  const display = needsYou ? NEEDS_YOU : DISPLAY[status];
  const hasDot = isUnread && display === undefined;
  return (
    <span className="grid size-4 shrink-0 place-items-center">
      {display?.icon}
      {hasDot && <span className="size-2 rounded-full bg-accent" />}
      {display && <VisuallyHidden>{display.label}</VisuallyHidden>}
      {isUnread && <VisuallyHidden>Unread</VisuallyHidden>}
    </span>
  );
};
