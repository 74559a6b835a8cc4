import { createContext, type RefObject, useContext, useEffect } from "react";
import type { SessionUser } from "@/server/auth/sessions";
import type { ChatRowActions } from "@/components/sidebar/chat-menu-items";
import type { MenuItem } from "@/components/ui/open-menu";
import type { Appearance } from "@/contract/appearance";
import type { ChatSummary } from "@/contract/chat";

export type Shell = {
  user: SessionUser;
  /** Opens the chat list where it is not shown. */
  openSidebar: () => void;
  /** How many chats wait for the person. */
  waitingCount: number;
  /** The current chat as it is in the chat list, if loaded. */
  listedChat: ChatSummary | undefined;
  /** The title of its parent, if it has one and both are loaded. */
  parentTitle: string | undefined;
  appearance: Appearance;
  changeAppearance: (change: Partial<Appearance>) => void;
  /** The items of the menu of the page, which the palette has, too. */
  pageItemsRef: RefObject<readonly MenuItem[]>;
};

export const ShellContext = createContext<Shell | undefined>(undefined);

/** Apart from the shell, as they are new with each change of the chat list. */
export const ShellActionsContext = createContext<ChatRowActions | undefined>(undefined);

/** What a person may do on every page. */
type ShellCommands = {
  navigate: (href: string) => void;
  toggleSidebar: () => void;
  markAllRead: () => void;
};

export const ShellCommandsContext = createContext<ShellCommands | undefined>(undefined);

/** What a person may do with a chat; the chat list offers to undo it. @throws {Error} outside of AppShell. */
export const useShellActions = (): ChatRowActions => {
  const actions = useContext(ShellActionsContext);
  if (!actions) throw new Error("useShellActions must be called inside AppShell.");
  return actions;
};

/** @throws {Error} outside of AppShell. */
export const useShell = (): Shell => {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("useShell must be called inside AppShell.");
  return shell;
};

/** Offers the items of the menu of the page in the palette while the page is shown. */
export const usePageItems = (items: readonly MenuItem[]): void => {
  const { pageItemsRef } = useShell();
  // Syncs with the shell, which reads them when the palette opens.
  useEffect(() => {
    pageItemsRef.current = items;
    return () => {
      pageItemsRef.current = [];
    };
  }, [items, pageItemsRef]);
};
