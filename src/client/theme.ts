import { z } from "zod";

export const Theme = z.enum(["system", "light", "dark"]);
export type Theme = z.infer<typeof Theme>;

const NAME = "parley-theme";
/** On https, where browsers accept it from this host only. */
const HOST_NAME = `__Host-${NAME}`;

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Finds the theme among a browser's cookies; the server renders the page in it. */
export const findTheme = (readCookie: (name: string) => string | undefined): Theme =>
  Theme.safeParse(readCookie(HOST_NAME) ?? readCookie(NAME)).data ?? "system";

/** Applies a theme to the page and stores it for later pages. */
export const applyTheme = (theme: Theme): void => {
  const isHttps = window.location.protocol === "https:";
  const [name, secure] = isHttps ? [HOST_NAME, "; secure"] : [NAME, ""];
  document.cookie = `${name}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};
