import { Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";

type ChatListButtonProps = {
  /** Opens the chat list on screens too narrow to show it. */
  onOpenSidebar: () => void;
};

export const ChatListButton = ({ onOpenSidebar }: ChatListButtonProps) => (
  <IconButton
    label="Open chat list"
    icon={<MenuIcon aria-hidden size={18} />}
    onClick={onOpenSidebar}
  />
);

type PageHeaderProps = ChatListButtonProps & { children: ReactNode };

/** The bar at the top of a page. */
export const PageHeader = ({ onOpenSidebar, children }: PageHeaderProps) => (
  <header className="flex h-13 shrink-0 items-center gap-1.5 border-b px-2 md:px-4">
    <span className="md:hidden">
      <ChatListButton onOpenSidebar={onOpenSidebar} />
    </span>
    {children}
  </header>
);
