import { createContext, useContext } from "react";
import type { SessionUser } from "@/app/session";
import type { ChatSummary } from "@/contract/chat";

type Shell = {
  user: SessionUser;
  /** Opens the list of chats where there is no room for it. */
  openSidebar: () => void;
  /** The row of this page's chat in the list, if it is loaded. */
  listed: ChatSummary | undefined;
};

export const ShellContext = createContext<Shell | undefined>(undefined);

/** @throws {Error} outside of the shell. */
export const useShell = (): Shell => {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("A screen needs the shell around it.");
  return shell;
};
