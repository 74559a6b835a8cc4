import {
  BookOpen,
  Check,
  Keyboard,
  Search,
  ChevronsUpDown,
  FlaskConical,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Settings,
  Sun,
} from "lucide-react";
import type { Theme } from "@/contract/appearance";
import { Menu } from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/open-menu";
import { VisuallyHidden } from "@/components/ui/visually-hidden";

export type SignedInUser = { name: string; email: string };

export type UserMenuProps = {
  user: SignedInUser;
  theme: Theme;
  onThemeChange: (theme: Theme) => void;
  onNavigate: (href: string) => void;
  onOpenPalette: () => void;
  onShowShortcuts: () => void;
  onSignOut: () => void;
};

export const UserMenu = (props: UserMenuProps) => {
  const { user, theme, onThemeChange } = props;
  const displayName = user.name || user.email;
  const [initial] = displayName;
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className="flex h-11 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover data-popup-open:bg-hover"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase"
          >
            {initial}
          </span>
          <VisuallyHidden>Account:</VisuallyHidden>
          <span className="min-w-0 flex-1 truncate font-medium">{displayName}</span>
          <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-muted" />
        </button>
      }
      items={[
        { kind: "heading", label: user.email },
        ...THEMES.map((choice): MenuItem =>
          createThemeItem(choice, theme === choice.name, onThemeChange),
        ),
        { kind: "separator" },
        ...createPageItems(props),
      ]}
    />
  );
};

const PAGES: readonly { href: string; label: string; icon: LucideIcon }[] = [
  { href: "/settings", label: "Settings", icon: Settings },
  { href: "/playground", label: "Playground", icon: FlaskConical },
  { href: "/docs", label: "API reference", icon: BookOpen },
];

const createPageItems = (props: UserMenuProps): MenuItem[] => [
  {
    kind: "item",
    label: "Find anything",
    icon: <Search aria-hidden size={15} />,
    onSelect: props.onOpenPalette,
    shortcut: "open-palette",
  },
  {
    kind: "item",
    label: "Keyboard shortcuts",
    icon: <Keyboard aria-hidden size={15} />,
    onSelect: props.onShowShortcuts,
    shortcut: "show-shortcuts",
  },
  ...PAGES.map(({ href, label, icon: Icon }): MenuItem => ({
    kind: "item",
    label,
    icon: <Icon aria-hidden size={15} />,
    onSelect: () => props.onNavigate(href),
  })),
  {
    kind: "item",
    label: "Sign out",
    icon: <LogOut aria-hidden size={15} />,
    onSelect: props.onSignOut,
  },
];

type ThemeChoice = { name: Theme; label: string; icon: LucideIcon };

const THEMES: readonly ThemeChoice[] = [
  { name: "system", label: "System theme", icon: Monitor },
  { name: "light", label: "Light theme", icon: Sun },
  { name: "dark", label: "Dark theme", icon: Moon },
];

const createThemeItem = (
  { name, label, icon: Icon }: ThemeChoice,
  isCurrent: boolean,
  onThemeChange: UserMenuProps["onThemeChange"],
): MenuItem => ({
  kind: "item",
  label: isCurrent ? `${label} (current)` : label,
  icon: isCurrent ? <Check aria-hidden size={15} /> : <Icon aria-hidden size={15} />,
  onSelect: () => onThemeChange(name),
});
