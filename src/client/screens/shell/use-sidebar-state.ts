import { useCallback } from "react";
import type { Appearance } from "@/contract/appearance";

type SidebarStateInput = {
  appearance: Appearance;
  changeAppearance: (change: Partial<Appearance>) => void;
  openDrawer: (open: boolean) => void;
};

/** Hides and shows the chat list; a narrow page opens it as a drawer. */
export const useSidebarState = (input: SidebarStateInput) => {
  const { appearance, changeAppearance, openDrawer } = input;
  const { sidebar } = appearance;
  const openSidebar = useCallback((): void => {
    if (isWide()) keepFocus(() => changeAppearance({ sidebar: "shown" }));
    else openDrawer(true);
  }, [changeAppearance, openDrawer]);
  const toggleSidebar = (): void =>
    keepFocus(() => changeAppearance({ sidebar: sidebar === "hidden" ? "shown" : "hidden" }));
  return { openSidebar, toggleSidebar };
};

/** Whether the page is wide enough to show the chat list beside it. */
export const isWide = (): boolean => window.matchMedia("(min-width: 48rem)").matches;

/** The button that hides or shows the chat list goes with it; the focus moves to the one that takes it back. */
const keepFocus = (toggle: () => void): void => {
  const focused = document.activeElement?.closest("aside, [data-sidebar-toggle]");
  toggle();
  if (!focused || document.activeElement?.checkVisibility()) return;
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-sidebar-toggle]")];
  buttons.find((button) => button.checkVisibility())?.focus();
};
