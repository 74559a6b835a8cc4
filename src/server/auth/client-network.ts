import { isIPv6 } from "node:net";
import { getClientAddress } from "@/server/client-address";

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Names the network from which a request came: one IPv4 address, or the first 64 bits of an IPv6
 * address, because a subscriber can choose the others freely.
 */
export const getClientNetwork = (headers: Headers): string => toNetwork(getClientAddress(headers));

export const toNetwork = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [unscoped = address] = address.split("%");
  if (!isIPv6(unscoped)) return address;
  const [head = [], tail] = unscoped.split("::").map((part) => part.split(":").filter(Boolean));
  const omitted = tail === undefined ? 0 : GROUPS - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(0, omitted)).fill("0"), ...(tail ?? [])];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
};
