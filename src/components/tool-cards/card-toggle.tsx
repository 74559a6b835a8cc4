import { clsx } from "clsx";
import { ChevronDown, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type CardToggleProps = {
  isOpen: boolean;
  onToggle: () => void;
  /** The id of what it opens, which is on the page only while it is open. */
  bodyId: string;
  icon: LucideIcon;
  /** The text, which takes the room that is left, and the marks after it. */
  children: ReactNode;
};

/** The line of a card, which opens the rest. */
export const CardToggle = ({ isOpen, onToggle, bodyId, icon: Icon, children }: CardToggleProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    aria-controls={isOpen ? bodyId : undefined}
    onClick={onToggle}
    className="flex min-h-9 w-full items-center gap-2 px-3 py-1.5 text-left -outline-offset-2 transition-colors hover:bg-hover pointer-coarse:min-h-11"
  >
    <Icon aria-hidden size={16} className="shrink-0 text-muted" />
    {children}
    <ChevronDown
      aria-hidden
      size={16}
      className={clsx("shrink-0 text-muted transition-transform", isOpen && "rotate-180")}
    />
  </button>
);
