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

const isOwnOrigin = (origin: string, headers: Headers, publicUrl: string | null): boolean => {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  if (publicUrl !== null && new URL(publicUrl).host === host) return true;
  return listRequestHosts(headers).includes(host);
};
