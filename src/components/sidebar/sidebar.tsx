"use client";
import { Archive, ArrowLeft, CheckCheck, PanelLeftClose, SquarePen } from "lucide-react";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { NavLink } from "@/components/ui/nav-link";
import { ChatList, type ChatListProps } from "./chat-list";
import { SidebarSearch } from "./sidebar-search";
import { UndoNotice, type UndoNoticeProps } from "./undo-notice";
import type { UserMenuProps } from "./open-user-menu";
import { UserMenu } from "./user-menu";

type SidebarProps = ChatListProps &
  UndoNoticeProps &
  Omit<UserMenuProps, "onNavigate"> & {
    onSearchChange: (search: string) => void;
    onArchivedChange: (archived: boolean) => void;
    onMarkAllRead: () => void;
    /** Hides the column. */
    onHide: () => void;
    /** Whether the drawer is open, on screens too narrow for the sidebar. */
    open: boolean;
    onOpenChange: (open: boolean) => void;
  };

/** The chat list: a column on wide screens, a drawer on narrow ones. */
export const Sidebar = (props: SidebarProps) => (
  <>
    <aside
      data-screen-only
      aria-label="Chats"
      className="hidden h-full w-72 shrink-0 flex-col border-r bg-surface md:flex md:in-data-[sidebar=hidden]:hidden short:overflow-y-auto"
    >
      <Content {...props} />
    </aside>
    <Drawer open={props.open} onOpenChange={props.onOpenChange} title="Chats">
      <Content {...props} />
    </Drawer>
  </>
);

const Content = (props: SidebarProps) => {
  const { actions, search, archived, onSearchChange, onArchivedChange, onMarkAllRead } = props;
  return (
    <>
      <div className="flex flex-col gap-2 p-3 pb-1">
        <div className="flex items-center gap-1">
          <NavLink
            href="/"
            onNavigate={actions.onNavigate}
            className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md border border-border-strong bg-raised px-3 font-medium transition-colors hover:bg-hover pointer-coarse:h-11"
          >
            <SquarePen aria-hidden size={16} className="text-accent" />
            New chat
          </NavLink>
          <span className="max-md:hidden">
            <IconButton
              label="Hide chat list"
              icon={<PanelLeftClose aria-hidden size={16} />}
              onClick={props.onHide}
              data-sidebar-toggle
            />
          </span>
        </div>
        <SidebarSearch search={search} onSearchChange={onSearchChange} />
      </div>
      <nav
        aria-label={archived ? "Archived chats" : "Chats"}
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-3 short:flex-none short:overflow-visible"
      >
        <ChatList {...props} />
      </nav>
      <UndoNotice lastAction={props.lastAction} />
      <div className="flex flex-col gap-0.5 border-t p-2">
        <div className="flex items-center">
          <button
            type="button"
            aria-pressed={archived}
            onClick={() => onArchivedChange(!archived)}
            className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
          >
            {archived ? <ArrowLeft aria-hidden size={16} /> : <Archive aria-hidden size={16} />}
            {archived ? "Back to chats" : "Archived"}
          </button>
          {[...props.chats, ...props.waitingChats].some(({ unread }) => unread) && (
            <IconButton
              label="Mark all as read"
              icon={<CheckCheck aria-hidden size={16} />}
              onClick={onMarkAllRead}
            />
          )}
        </div>
        <UserMenu {...props} onNavigate={actions.onNavigate} />
      </div>
    </>
  );
};
