const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

const SIDEBARS = ["shown", "hidden"] as const;
/** Whether screens that are wide enough show the chat list beside the page. */
export type SidebarState = (typeof SIDEBARS)[number];

/** How the pages look in one browser. */
export type Appearance = { theme: Theme; density: Density; sidebar: SidebarState };

export const DEFAULT_APPEARANCE: Appearance = {
  theme: "system",
  density: "comfortable",
  sidebar: "shown",
};

/** Replaces values that are missing or unknown; without a schema, as every page loads this. */
export const toAppearance = ({
  theme,
  density,
  sidebar,
}: {
  [Name in keyof Appearance]?: unknown;
}): Appearance => ({
  theme: THEMES.find((name) => name === theme) ?? DEFAULT_APPEARANCE.theme,
  density: DENSITIES.find((name) => name === density) ?? DEFAULT_APPEARANCE.density,
  sidebar: SIDEBARS.find((name) => name === sidebar) ?? DEFAULT_APPEARANCE.sidebar,
});
