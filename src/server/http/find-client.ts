import { BlockList, isIP } from "node:net";

type Peer = {
  /** Address of the socket's other end. */
  remoteAddress: string;
  /** The `x-forwarded-for` header: each proxy appends the address that it was called from. */
  forwardedFor: string | undefined;
};

/**
 * Creates the function that finds a request's client. Only the headers of named proxies count, as
 * every client can send `x-forwarded-for`.
 *
 * @param trustedProxies addresses and networks (CIDR) of proxies.
 */
export const createClientFinder = (trustedProxies: readonly string[]) => {
  const proxies = toBlockList(trustedProxies);
  const isProxy = (address: string): boolean =>
    isIP(address) !== 0 && proxies.check(address, findFamily(address));
  return {
    isProxy: (address: string): boolean => isProxy(normalizeAddress(address)),
    /** @returns the nearest address that is not a trusted proxy. */
    findClient: ({ remoteAddress, forwardedFor }: Peer): string => {
      let client = normalizeAddress(remoteAddress);
      const hops = forwardedFor?.split(",") ?? [];
      while (isProxy(client)) {
        const hop = normalizeAddress(hops.pop() ?? "");
        // A proxy that names no address is itself the last one that is known.
        if (isIP(hop) === 0) break;
        client = hop;
      }
      return client;
    },
  };
};

const toBlockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    if (prefix === undefined) list.addAddress(address, findFamily(address));
    else list.addSubnet(address, Number(prefix), findFamily(address));
  }
  return list;
};

const findFamily = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Removes port and brackets, which some proxies add, the zone, and the IPv6 form of IPv4 addresses. */
const normalizeAddress = (address: string): string => {
  const text = address.trim();
  const host = /^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/.exec(text);
  return (host?.[1] ?? host?.[2] ?? text).replace(/%.*$/s, "").replace(/^::ffff:(?=\d+\.)/i, "");
};
