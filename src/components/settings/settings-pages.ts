import type { Page } from "@/components/ui/page-nav";

export type SettingsPage = Page & {
  /** Whether it is for administrators only. */
  isForOwner?: boolean;
};

export type SettingsGroup = { label: string; pages: readonly SettingsPage[] };

/** All pages of the settings, in the order of their list. */
const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    label: "Models and advisor",
    pages: [
      { href: "/settings/models", label: "Models", isForOwner: true },
      { href: "/settings/advisor", label: "Advisor", isForOwner: true },
    ],
  },
  {
    label: "Tools",
    pages: [
      { href: "/settings/tools", label: "Tools" },
      { href: "/settings/recipes", label: "Recipes", isForOwner: true },
      { href: "/settings/groups", label: "Groups", isForOwner: true },
      { href: "/settings/mcp", label: "MCP servers", isForOwner: true },
      { href: "/settings/agent-types", label: "Agent types", isForOwner: true },
    ],
  },
  {
    label: "You",
    pages: [
      { href: "/settings/api-keys", label: "API keys" },
      { href: "/settings/notifications", label: "Notifications" },
      { href: "/settings/appearance", label: "Appearance" },
      { href: "/settings/data", label: "Data" },
      { href: "/settings/account", label: "Account" },
    ],
  },
];

/** Returns the name of the page of an address; undefined if there is no such page. */
export const findSettingsPage = (href: string): SettingsPage | undefined =>
  SETTINGS_GROUPS.flatMap(({ pages }) => pages).find((page) => page.href === href);

/** Lists the pages that a person can open, without groups that have none. */
export const listSettingsPages = (isOwner: boolean): readonly SettingsGroup[] =>
  SETTINGS_GROUPS.map(({ label, pages }) => ({
    label,
    pages: pages.filter(({ isForOwner = false }) => isOwner || !isForOwner),
  })).filter(({ pages }) => pages.length > 0);
