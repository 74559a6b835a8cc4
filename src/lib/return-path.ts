/** Names the page of a request to the code that renders it. The proxy sets it on every request of a page. */
export const PAGE_HEADER = "x-parley-page";

/** Creates the path of the sign-in page that leads back to a page of this server. */
export const createLoginPath = (page: string): string => {
  const next = readReturnPath(page);
  return next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
};

/** Only resolves paths; nothing is requested from it. */
const BASE = "http://server.invalid";
/** Where signing in leads to nothing, or back to itself. */
const NO_PAGE = /^\/(?:api|login|setup)(?:[/?#]|$)/;

/**
 * Reads where a sign-in leads. Anyone can make a link to the sign-in page, so another site is never the
 * target: a browser reads `//host`, `/\host` and `/.//host` as one.
 *
 * @returns the path of a page of this server, `/` for everything else.
 */
export const readReturnPath = (next: string | undefined): string => {
  if (!next?.startsWith("/") || !URL.canParse(next, BASE)) return "/";
  const { origin, pathname, search, hash } = new URL(next, BASE);
  const isPage = origin === BASE && !pathname.startsWith("//") && !NO_PAGE.test(pathname);
  return isPage ? `${pathname}${search}${hash}` : "/";
};
