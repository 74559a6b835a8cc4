"use client";
import type { ReactElement } from "react";
import type { Theme } from "@/contract/appearance";
import type { MenuIconName } from "@/components/ui/menu-icon";
import OpenMenu, { type MenuItem } from "@/components/ui/open-menu";
import type { OpenedPopup } from "@/components/ui/popup-trigger";

type SignedInUser = { name: string; email: string };

export type UserMenuProps = {
  user: SignedInUser;
  theme: Theme;
  onThemeChange: (theme: Theme) => void;
  onNavigate: (href: string) => void;
  onOpenPalette: () => void;
  onShowShortcuts: () => void;
  onSignOut: () => void;
};

/** The menu of the account, which is open at first, and its button. */
const OpenUserMenu = (props: UserMenuProps & OpenedPopup & { trigger: ReactElement }) => {
  const { user, theme, onThemeChange, trigger, ...rest } = props;
  // What else the account is given, such as whether the chat list is open, is not of the menu.
  const { openedBy, buttonRef, popupRef, findFinalFocus } = rest;
  const popup = { openedBy, buttonRef, popupRef, findFinalFocus };
  const items: MenuItem[] = [
    { kind: "heading", label: user.email },
    ...THEMES.map((choice) => createThemeItem(choice, theme === choice.name, onThemeChange)),
    { kind: "separator" },
    ...createPageItems(props),
  ];
  return <OpenMenu {...popup} trigger={trigger} align="start" side="top" items={items} />;
};

export default OpenUserMenu;

const PAGES: readonly { href: string; label: string; icon: MenuIconName }[] = [
  { href: "/settings", label: "Settings", icon: "settings" },
  { href: "/playground", label: "Playground", icon: "flask-conical" },
  { href: "/docs", label: "API reference", icon: "book-open" },
];

const createPageItems = (props: UserMenuProps): MenuItem[] => [
  {
    kind: "item",
    label: "Find anything",
    icon: "search",
    onSelect: props.onOpenPalette,
    shortcut: "open-palette",
  },
  {
    kind: "item",
    label: "Keyboard shortcuts",
    icon: "keyboard",
    onSelect: props.onShowShortcuts,
    shortcut: "show-shortcuts",
  },
  ...PAGES.map(({ href, label, icon }): MenuItem => ({
    kind: "item",
    label,
    icon,
    onSelect: () => props.onNavigate(href),
  })),
  {
    kind: "item",
    label: "Sign out",
    icon: "log-out",
    onSelect: props.onSignOut,
  },
];

type ThemeChoice = { name: Theme; label: string; icon: MenuIconName };

const THEMES: readonly ThemeChoice[] = [
  { name: "system", label: "System theme", icon: "monitor" },
  { name: "light", label: "Light theme", icon: "sun" },
  { name: "dark", label: "Dark theme", icon: "moon" },
];

const createThemeItem = (
  { name, label, icon }: ThemeChoice,
  isCurrent: boolean,
  onThemeChange: UserMenuProps["onThemeChange"],
): MenuItem => ({
  kind: "item",
  label: isCurrent ? `${label} (current)` : label,
  icon: isCurrent ? "check" : icon,
  onSelect: () => onThemeChange(name),
});
