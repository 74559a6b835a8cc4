import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { isLoopback } from "@/lib/is-loopback";

/** A destination: where a URL points, or the address that its host name stands for at this moment. */
export type Destination = { hostname: string; port: number; address?: string | undefined };

/** Decides which addresses the server connects to for a URL that it was given by a model or a page. */
export type AddressPolicy = {
  /** @returns why a destination is refused, as a sentence, or undefined if it may be connected to. */
  findProblem: (destination: Destination) => string | undefined;
};

type AddressPolicyOptions = {
  /** Host names, addresses and networks (CIDR) that are allowed although they are not public. */
  allow: readonly string[];
  /** The port at which this server listens; it is refused on this machine, whatever is allowed. */
  ownPort: number;
  /** Allows private networks and this machine, but no metadata of a cloud. */
  allowPrivate?: boolean;
  /** What to do about a refusal, as a sentence; "" where no setting allows more. */
  remedy?: string;
};

/** Names of this machine and its network, or of a cloud's metadata; they need no lookup to be refused. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|internal)$|^(?:metadata|kubernetes\.default(?:\.svc)?)$/;

const METADATA_NAME = /^metadata(?:\.|$)/;
/** What `allowPrivate` adds, by the names of the ranges. */
const PRIVATE_RANGES = new Set(["private", "loopback", "uniqueLocal", "carrierGradeNat"]);

const REMEDY = "An administrator can allow it with PARLEY_WEB_ALLOW.";

export const createAddressPolicy = (options: AddressPolicyOptions): AddressPolicy => {
  const { allow, ownPort, allowPrivate = false, remedy = REMEDY } = options;
  const advice = remedy === "" ? "" : ` ${remedy}`;
  const allowedNames = new Set(allow.filter((entry) => !isIP(entry.split("/")[0] ?? "")));
  const allowedAddresses = toBlockList(allow.filter((entry) => !allowedNames.has(entry)));
  const isAllowed = (host: string, address: string | undefined): boolean =>
    allowedNames.has(host) ||
    (allowPrivate && isPrivate(host, address)) ||
    (address !== undefined && isListed(allowedAddresses, address));
  return {
    findProblem: ({ hostname, port, address }) => {
      const host = normalizeHost(hostname);
      const at = address ?? (isIP(host) ? host : undefined);
      if (at !== undefined && port === ownPort && isOwnAddress(at)) {
        return `Port ${port} of ${host} is this server itself, which tools do not reach.`;
      }
      if (isAllowed(host, at)) return undefined;
      if (!isIP(host) && LOCAL_NAME.test(host)) {
        return `"${host}" is a name of a private network, which tools do not reach.${advice}`;
      }
      if (at === undefined || isPublicAddress(at)) return undefined;
      // The address of a name is not shown: it would describe the network.
      return `"${host}" has no public address, and tools reach no other ones.${advice}`;
    },
  };
};

/** Whether a name, or its address once it is known, is private and no metadata of a cloud. */
const isPrivate = (host: string, address: string | undefined): boolean => {
  if (METADATA_NAME.test(host)) return false;
  if (address === undefined) return !isIP(host);
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return PRIVATE_RANGES.has(parsed.range()) && !isListed(METADATA, parsed.toString());
};

/** Removes the brackets of an IPv6 address and the dots that end an absolute name. */
const normalizeHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/(?<!\.)\.+$/, "");

const toBlockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = toFamily(address);
    list.addSubnet(address, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return list;
};

/** Where clouds answer with credentials, and other services of theirs, besides what is link-local. */
const METADATA_NETWORKS = ["100.100.100.200", "fd00:ec2::/32", "fd20:ce::/32", "fd00:42::42"];

const toFamily = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

const isListed = (list: BlockList, address: string): boolean =>
  list.check(address, toFamily(address));

const METADATA = toBlockList(METADATA_NETWORKS);

const isOwnAddress = (address: string): boolean =>
  isLoopback(address) ||
  ipaddr.process(address).range() === "unspecified" ||
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((own) => own.address === ipaddr.process(address).toString()),
  );

/** Whether an address is one of the public internet, by the ranges of IANA. Never throws. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast";
  const bytes = address.toByteArray();
  switch (address.range()) {
    case "6to4":
      return isPublicAddress(bytes.slice(2, 6).join("."));
    case "teredo":
      // The client's address is stored with all bits inverted.
      return isPublicAddress(
        bytes
          .slice(12)
          .map((byte) => byte ^ 0xff)
          .join("."),
      );
    case "unicast":
      // The only part of the address space that was given out, 2000::/3.
      return ((bytes[0] ?? 0) & 0xe0) === 0x20;
    default:
      return false;
  }
};
