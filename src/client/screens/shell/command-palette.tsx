"use client";
import {
  BookOpen,
  CheckCheck,
  FlaskConical,
  Keyboard,
  type LucideIcon,
  MessageSquare,
  Monitor,
  Moon,
  PanelLeft,
  Settings,
  SquarePen,
  Sun,
} from "lucide-react";
import { use, useDeferredValue, useState } from "react";
import { useChatList } from "@/client/use-chat-list";
import { Palette, type PaletteGroup, type PaletteItem } from "@/components/keyboard/palette";
import { listSettingsPages } from "@/components/settings/settings-pages";
import { MenuIcon } from "@/components/ui/menu-icon";
import type { MenuItem } from "@/components/ui/open-menu";
import type { ChatSummary } from "@/contract/chat";
import { ShellCommandsContext, useShell } from "./shell-context";
import { isWide } from "./use-sidebar-state";
import type { OverlayProps } from "./overlay-props";

/** Of the chats that were changed last, and of those that a search has found. */
const MAX_RECENT = 5;
const MAX_FOUND = 12;

/** The palette: chats, what can be done here, and the pages of the app. */
const CommandPalette = (props: OverlayProps) => {
  const [query, setQuery] = useState(props.typed);
  const text = query.trim();
  const q = useDeferredValue(text);
  const { chats, isLoading, error } = useChatList({ archived: false, q });
  const navigate = use(ShellCommandsContext)?.navigate;
  const isCurrent = q === text && !isLoading;
  const found = chats.slice(0, text === "" ? MAX_RECENT : MAX_FOUND);
  const chatGroup = {
    heading: text === "" ? "Recent chats" : "Chats",
    items: found.map((chat) => toChatItem(chat, (href) => navigate?.(href))),
  };
  const others = useCommandGroups(props).map((group) => findItems(group, text));
  // What is there at once stays above what has to be searched for.
  const groups = text === "" ? [chatGroup, ...others] : [...others, chatGroup];
  const isSearching = !isCurrent && error === undefined;
  // The recent chats would move what is active when they arrive.
  const shown = text === "" && isSearching ? [] : groups;
  return (
    <Palette
      query={query}
      onQueryChange={setQuery}
      groups={shown.filter(({ items }) => items.length > 0)}
      isLoading={isSearching}
      error={error}
      onClose={props.onClose}
    />
  );
};

export default CommandPalette;

const toChatItem = (
  { id, title, match, archived }: ChatSummary,
  navigate: (href: string) => void,
): PaletteItem => ({
  key: id,
  label: title,
  detail: match?.snippet ?? (archived ? "Archived" : undefined),
  icon: <MessageSquare aria-hidden size={15} />,
  onSelect: () => navigate(`/chats/${id}${match ? `?message=${match.seq}` : ""}`),
});

/** Keeps the items that have all words of a text, or whose group has. */
const findItems = ({ heading, items }: PaletteGroup, text: string): PaletteGroup => {
  const words = text.toLowerCase().split(/\s+/);
  const fits = ({ label }: PaletteItem): boolean => {
    const name = `${heading} ${label}`.toLowerCase();
    return words.every((word) => name.includes(word));
  };
  return { heading, items: items.filter(fits) };
};

const useCommandGroups = ({ pageItems, showShortcuts }: OverlayProps): readonly PaletteGroup[] => {
  const { user, appearance, changeAppearance } = useShell();
  const commands = use(ShellCommandsContext);
  if (!commands) return [];
  const { navigate, toggleSidebar, markAllRead } = commands;
  const toPage = (label: string, href: string, Icon: LucideIcon): PaletteItem =>
    toItem(label, Icon, () => navigate(href));
  const isHidden = appearance.sidebar === "hidden";
  const sidebarItem: PaletteItem = {
    ...toItem(isHidden ? "Show chat list" : "Hide chat list", PanelLeft, toggleSidebar),
    shortcut: "toggle-sidebar",
  };
  const settings = listSettingsPages(user.role === "owner").flatMap(({ pages }) => pages);
  return [
    { heading: "This chat", items: pageItems.flatMap(toMenuItem) },
    {
      heading: "Actions",
      items: [
        toPage("New chat", "/", SquarePen),
        ...(isWide() ? [sidebarItem] : []),
        toItem("Mark all chats as read", CheckCheck, markAllRead),
        toItem("Light theme", Sun, () => changeAppearance({ theme: "light" })),
        toItem("Dark theme", Moon, () => changeAppearance({ theme: "dark" })),
        toItem("System theme", Monitor, () => changeAppearance({ theme: "system" })),
        {
          ...toItem("Keyboard shortcuts", Keyboard, showShortcuts),
          shortcut: "show-shortcuts",
        },
        toPage("Playground", "/playground", FlaskConical),
        toPage("API reference", "/docs", BookOpen),
      ],
    },
    {
      heading: "Settings",
      items: settings.map(({ label, href }) => toPage(label, href, Settings)),
    },
  ];
};

const toItem = (label: string, Icon: LucideIcon, onSelect: () => void): PaletteItem => ({
  key: label.replaceAll(" ", "-"),
  label,
  icon: <Icon aria-hidden size={15} />,
  onSelect,
});

const toMenuItem = (item: MenuItem): PaletteItem[] =>
  item.kind === "item"
    ? [
        {
          key: `chat-${item.label.replaceAll(" ", "-")}`,
          label: item.label,
          icon: item.icon && <MenuIcon name={item.icon} />,
          shortcut: item.shortcut,
          onSelect: item.onSelect,
        },
      ]
    : [];
