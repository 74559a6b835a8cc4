import { type Appearance, DEFAULT_APPEARANCE, toAppearance } from "@/contract/appearance";

/** Names on http; on https, browsers accept the prefix from this host only. */
const COOKIES = {
  theme: "parley-theme",
  density: "parley-density",
  sidebar: "parley-sidebar",
} as const;
const HOST_PREFIX = "__Host-";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

type ReadCookie = (name: string) => string | undefined;

/** Finds the appearance among a browser's cookies; the server renders the page in it. */
export const findAppearance = (readCookie: ReadCookie): Appearance => {
  const read = (name: string): string | undefined =>
    readCookie(`${HOST_PREFIX}${name}`) ?? readCookie(name);
  return toAppearance({
    theme: read(COOKIES.theme),
    density: read(COOKIES.density),
    sidebar: read(COOKIES.sidebar),
  });
};

/** Reads what the tabs of this browser share. */
export const readStoredAppearance = (): Appearance => {
  const cookies = new Map(
    document.cookie.split("; ").map((cookie): [string, string] => {
      const [name = "", value = ""] = cookie.split("=");
      return [name, value];
    }),
  );
  return findAppearance((name) => cookies.get(name));
};

/** The attributes of the document that the style sheet depends on; the defaults have none. */
export const toDocumentAttributes = ({ theme, density, sidebar }: Appearance) => ({
  "data-theme": theme === DEFAULT_APPEARANCE.theme ? undefined : theme,
  "data-density": density === DEFAULT_APPEARANCE.density ? undefined : density,
  "data-sidebar": sidebar === DEFAULT_APPEARANCE.sidebar ? undefined : sidebar,
});

/** Changes the page that is shown. */
export const applyAppearance = (appearance: Appearance): void => {
  const root = document.documentElement;
  for (const [name, value] of Object.entries(toDocumentAttributes(appearance))) {
    if (value === undefined) root.removeAttribute(name);
    else root.setAttribute(name, value);
  }
};

/** Stores the appearance for the other tabs, and for the pages that the server renders later. */
export const storeAppearance = (appearance: Appearance): void => {
  const isHttps = window.location.protocol === "https:";
  const [prefix, secure] = isHttps ? [HOST_PREFIX, "; secure"] : ["", ""];
  const options = `path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  document.cookie = `${prefix}${COOKIES.theme}=${appearance.theme}; ${options}`;
  document.cookie = `${prefix}${COOKIES.density}=${appearance.density}; ${options}`;
  document.cookie = `${prefix}${COOKIES.sidebar}=${appearance.sidebar}; ${options}`;
};
