import { z } from "zod";

export const Theme = z.enum(["system", "light", "dark"]);
export type Theme = z.infer<typeof Theme>;

/** Read by the server too, which renders the page in its theme. */
export const THEME_COOKIE = "parley-theme";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Applies a theme to the page and stores it for later pages. */
export const applyTheme = (theme: Theme): void => {
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};
