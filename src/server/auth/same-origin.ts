import { DomainError } from "@/contract/domain-error";

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
  throw new DomainError(
    "forbidden",
    "A write with a session cookie must come from this site's own pages; programs send an API key.",
  );
};

const isOwnOrigin = (origin: string, headers: Headers, publicUrl: string | null): boolean => {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  if (publicUrl !== null && new URL(publicUrl).host === host) return true;
  return host === headers.get("host") || host === headers.get("x-forwarded-host");
};
