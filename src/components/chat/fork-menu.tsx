"use client";
import { GitBranch } from "lucide-react";
import { NavLink } from "@/components/ui/nav-link";
import { Popover } from "@/components/ui/popover";
import type { ChatLink } from "@/contract/chat";

type ForkMenuProps = {
  /** The newest first. */
  forks: readonly ChatLink[];
  onNavigate: (href: string) => void;
};

/** Counts the branches of a chat, and lists them. */
const ForkMenu = ({ forks, onNavigate }: ForkMenuProps) => (
  <Popover
    title="Branches of this chat"
    trigger={
      <button
        type="button"
        aria-label={`Branches: ${forks.length}`}
        className="flex h-8 items-center gap-1.5 rounded-md px-2 text-xs tabular-nums transition-colors hover:bg-hover pointer-coarse:h-10"
      >
        <GitBranch aria-hidden size={15} />
        {forks.length}
      </button>
    }
  >
    <ul className="flex flex-col gap-1">
      {forks.map(({ id, title }) => (
        <li key={id} className="min-w-0">
          <NavLink
            href={`/chats/${id}`}
            onNavigate={onNavigate}
            className="block text-sm wrap-anywhere text-accent underline-offset-2 hover:underline pointer-coarse:py-1.5"
          >
            {title}
          </NavLink>
        </li>
      ))}
    </ul>
  </Popover>
);
export default ForkMenu;
