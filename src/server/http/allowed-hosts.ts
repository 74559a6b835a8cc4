import { isIP } from "node:net";

export type HostSettings = {
  /** The server's public address. */
  publicUrl: string | null;
  /** Further names under which the server is reached, in lower case. */
  allowedHosts: readonly string[];
};

/**
 * Creates the check of `Host` headers. A page of another site can make its own name resolve to this
 * server (DNS rebinding) and would then share its origin; it cannot do so with a name that is not its
 * own, nor with an address.
 */
export const createHostCheck = ({ publicUrl, allowedHosts }: HostSettings) => {
  const names = new Set(["localhost", ...allowedHosts]);
  if (publicUrl !== null) names.add(new URL(publicUrl).hostname);
  return (host: string): boolean => {
    const name = parseHostName(host);
    if (name === undefined) return false;
    return (
      names.has(name) || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0
    );
  };
};

/** @returns the name or address in lower case, without port; undefined if the header is malformed. */
const parseHostName = (host: string): string | undefined =>
  /^(\[[\da-f:.]+\]|[\w.-]+?)\.?(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
