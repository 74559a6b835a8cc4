import { DomainError } from "@/contract/domain-error";
import { describeHostMismatch } from "@/lib/describe-host-mismatch";

/**
 * Prevents other sites from writing with the browser's cookie. Browsers send `sec-fetch-site` or
 * `origin` with every write, and no page can forge them.
 *
 * @param publicUrl the server's public address, for a proxy that changes the host.
 * @throws {DomainError} `forbidden`.
 */
export const requireSameOrigin = (
  { headers }: Pick<Request, "headers">,
  publicUrl: string | null,
): void => {
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return;
  const origin = headers.get("origin");
  if (origin !== null && site !== "cross-site" && isOwnOrigin(origin, headers, publicUrl)) return;
  const mismatch = site === null ? findMismatch(origin, headers) : undefined;
  throw new DomainError(
    "forbidden",
    mismatch ??
      "A write with a session cookie must come from this site's own pages; programs send an API key.",
  );
};

/** The hosts by which a request may come: its own, and the one that a proxy says it had. */
export const listRequestHosts = (headers: Pick<Headers, "get">): string[] =>
  [headers.get("host"), headers.get("x-forwarded-host")].flatMap((host) => host ?? []);

/**
 * Without encryption, browsers send no `sec-fetch-site`: then a page of this site whose proxy replaces the host looks like
 * one of another site.
 */
const findMismatch = (origin: string | null, headers: Headers): string | undefined => {
  const [request] = listRequestHosts(headers);
  if (origin === null || request === undefined || !URL.canParse(origin)) return undefined;
  return describeHostMismatch({ origin, request });
};

/** The scheme by which a page was loaded, as a trusted proxy says it; the front removes what others say. */
const readScheme = (headers: Headers): string =>
  headers.get("x-forwarded-proto")?.split(",")[0]?.trim() ?? "http";

/**
 * Compares scheme, host and port: somebody between the browser and the server can make a page without encryption that has
 * the host of an encrypted one. The host of the public address has the scheme of that address only.
 */
const isOwnOrigin = (origin: string, headers: Headers, publicUrl: string | null): boolean => {
  if (publicUrl !== null) {
    const { origin: publicOrigin, host: publicHost } = new URL(publicUrl);
    if (origin === publicOrigin) return true;
    if (URL.canParse(origin) && new URL(origin).host === publicHost) return false;
  }
  const scheme = readScheme(headers);
  return listRequestHosts(headers).some((host) => toOrigin(`${scheme}://${host}`) === origin);
};

const toOrigin = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined;
