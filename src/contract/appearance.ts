const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** How the pages look in one browser. */
export type Appearance = { theme: Theme; density: Density };

export const DEFAULT_APPEARANCE: Appearance = { theme: "system", density: "comfortable" };

/** Replaces values that are missing or unknown; without a schema, as every page loads this. */
export const toAppearance = ({
  theme,
  density,
}: {
  theme?: unknown;
  density?: unknown;
}): Appearance => ({
  theme: THEMES.find((name) => name === theme) ?? DEFAULT_APPEARANCE.theme,
  density: DENSITIES.find((name) => name === density) ?? DEFAULT_APPEARANCE.density,
});
