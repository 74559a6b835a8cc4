import { Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";

export type ChatListButtonProps = {
  /** Opens the chat list where it is not shown. */
  onOpenSidebar: () => void;
  /** How many chats in the list wait for the person. */
  waitingCount: number;
};

export const ChatListButton = ({ onOpenSidebar, waitingCount }: ChatListButtonProps) => (
  <span className="relative inline-flex">
    <IconButton
      label={waitingCount === 0 ? "Open chat list" : `Open chat list: ${waitingCount} need you`}
      icon={<MenuIcon aria-hidden size={18} />}
      onClick={onOpenSidebar}
      data-sidebar-toggle
    />
    {waitingCount > 0 && (
      <span
        aria-hidden
        className="pointer-events-none absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-warning px-1 text-[0.625rem]/none font-semibold text-bg tabular-nums"
      >
        {waitingCount}
      </span>
    )}
  </span>
);

/** On screens too narrow for the chat list, and where it is hidden. */
export const WHERE_SIDEBAR_IS_HIDDEN = "md:hidden md:in-data-[sidebar=hidden]:block";

type PageHeaderProps = ChatListButtonProps & { children: ReactNode };

/** The bar at the top of a page. */
export const PageHeader = ({ children, ...listProps }: PageHeaderProps) => (
  <header className="flex h-13 shrink-0 items-center gap-1.5 border-b px-2 md:px-4">
    <span className={WHERE_SIDEBAR_IS_HIDDEN}>
      <ChatListButton {...listProps} />
    </span>
    {children}
  </header>
);
