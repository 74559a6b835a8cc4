/** Beginning of the names of all our cookies that scripts cannot read. */
const NAME = "parley";

export const isHttps = (publicUrl: string | null): boolean =>
  publicUrl?.startsWith("https:") ?? false;

/**
 * The prefix of cookie names. On https, browsers accept `__Host-` cookies from this host only, so
 * that no other host of the domain can plant one.
 */
export const getCookiePrefix = (publicUrl: string | null): string =>
  isHttps(publicUrl) ? `__Host-${NAME}` : NAME;

/** @returns the undecoded value of the first cookie of that name. */
export const readCookie = (headers: Headers, name: string): string | undefined =>
  headers
    .get("cookie")
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
