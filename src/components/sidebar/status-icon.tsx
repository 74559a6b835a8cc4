import { CircleAlert, CirclePause, Hand } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "@/components/ui/spinner";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import type { ChatStatus } from "@/contract/chat";

type Sign = { word: string; mark: ReactNode };

const working: Sign = {
  word: "Working",
  mark: (
    <span className="text-accent">
      <Spinner size={14} />
    </span>
  ),
};

const SIGN: Record<ChatStatus, Sign | undefined> = {
  waiting: undefined,
  pending: working,
  running: working,
  interrupting: {
    word: "Stopping",
    mark: <CirclePause aria-hidden size={14} className="shrink-0 text-muted" />,
  },
  requires_action: {
    word: "Needs you",
    mark: <Hand aria-hidden size={14} className="shrink-0 text-warning" />,
  },
  error: {
    word: "Failed",
    mark: <CircleAlert aria-hidden size={14} className="shrink-0 text-danger" />,
  },
};

type StatusIconProps = { status: ChatStatus; unread: boolean };

/** A chat's state as a sign with a word for screen readers; a resting one shows only what is unread. */
export const StatusIcon = ({ status, unread }: StatusIconProps) => {
  const sign = SIGN[status];
  const dot = unread && sign === undefined;
  return (
    <span className="grid size-4 shrink-0 place-items-center">
      {sign?.mark}
      {dot && <span className="size-2 rounded-full bg-accent" />}
      {sign && <VisuallyHidden>{sign.word}</VisuallyHidden>}
      {unread && <VisuallyHidden>Unread</VisuallyHidden>}
    </span>
  );
};
