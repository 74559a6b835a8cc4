import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { createAddressPolicy, isPublicAddress } from "./address-policy";

describe("isPublicAddress", () => {
  it.each([
    ["loopback", "127.0.0.1"],
    ["a private network, 10/8", "10.0.0.1"],
    ["a private network, 172.16/12", "172.16.0.1"],
    ["a private network, 192.168/16", "192.168.1.1"],
    ["the metadata of a cloud", "169.254.169.254"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["benchmarks, first", "198.18.0.1"],
    ["benchmarks, last", "198.19.255.1"],
    ["this host", "0.0.0.0"],
    ["0/8", "0.1.2.3"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["protocol assignments", "192.0.0.8"],
    ["documentation", "203.0.113.7"],
    ["IPv6 loopback", "::1"],
    ["IPv6 unspecified", "::"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped private", "::ffff:10.0.0.1"],
    ["IPv4-mapped, in hex", "::ffff:7f00:1"],
    ["IPv4-compatible", "::7f00:1"],
    ["IPv4-compatible, public", "::808:808"],
    ["IPv4-translated", "::ffff:0:7f00:1"],
    ["NAT64 of loopback", "64:ff9b::7f00:1"],
    ["NAT64 of a public address", "64:ff9b::808:808"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["unique local, fc", "fc00::1"],
    ["unique local, fd", "fd00::1"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["IPv6 multicast", "ff02::1"],
    ["IPv6 metadata", "fd00:ec2::254"],
    ["discard", "100::1"],
    ["IPv6 documentation", "2001:db8::1"],
    ["not given out", "4000::1"],
    ["6to4 of loopback", "2002:7f00:1::1"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["Teredo of a private address", "2001:0:4136:e378:8000:63bf:f5ff:fffe"],
    ["no address", "example.org"],
    ["nothing", ""],
    ["an address of the old kind", "0177.1"],
  ])("is false for %s: %s", (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    "198.17.0.1",
    "198.20.0.1",
    "8.8.8.8",
    "1.1.1.1",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "223.255.255.255",
    "2002:801:101::1",
    "2001:0:4136:e378:8000:63bf:f7f6:fefe",
    "2607:f8b0:4004:800::200e",
    "::ffff:8.8.8.8",
  ])("is true for %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("the address policy", () => {
  const strict = createAddressPolicy({ allow: [], ownPort: 3000 });

  it.each([
    "localhost",
    "LOCALHOST.",
    "app.localhost",
    "printer.local",
    "db.internal",
    "metadata.google.internal",
    "host.docker.internal",
    "gateway.docker.internal",
    "metadata",
    "kubernetes.default.svc",
  ])("refuses the name %s before it is looked up", (hostname) => {
    expect(strict.findProblem({ hostname, port: 80 })).toContain("PARLEY_WEB_ALLOW");
  });

  it.each([
    "example.org",
    "local.example.org",
    "internal.org",
    "notlocalhost",
    "8.8.8.8",
    "[2607:f8b0::1]",
  ])("allows %s", (hostname) => {
    expect(strict.findProblem({ hostname, port: 80 })).toBeUndefined();
  });

  it("refuses a public name with a private address, and does not show the address", () => {
    const problem = strict.findProblem({ hostname: "example.org", port: 80, address: "10.1.2.3" });
    expect(problem).toContain("example.org");
    expect(problem).not.toContain("10.1.2.3");
  });

  it.each([
    ["localhost", undefined, true],
    ["localhost", "127.0.0.1", true],
    ["mcp.internal", "10.1.2.3", true],
    ["192.168.1.2", undefined, true],
    ["[fd12::1]", undefined, true],
    ["100.64.0.1", undefined, true],
    ["8.8.8.8", undefined, true],
    ["169.254.169.254", undefined, false],
    ["[fd00:ec2::254]", undefined, false],
    ["[fd00:ec2::23]", undefined, false],
    ["[fd00:ec2:ffff::1]", undefined, false],
    ["mcp.internal", "fd20:ce::254", false],
    ["[fd00:42::42]", undefined, false],
    ["[fd00:42::43]", undefined, true],
    ["[fd20:cf::254]", undefined, true],
    ["[::ffff:169.254.169.254]", undefined, false],
    ["100.100.100.200", undefined, false],
    ["metadata.google.internal", undefined, false],
    ["metadata.google.internal", "10.1.2.3", false],
    ["mcp.internal", "169.254.169.254", false],
    ["0.0.0.0", undefined, false],
    ["224.0.0.1", undefined, false],
  ])("with private addresses, decides on %s at %s: %s", (hostname, address, isAllowed) => {
    const lifted = createAddressPolicy({ allow: [], ownPort: 3000, allowPrivate: true });
    expect(lifted.findProblem({ hostname, port: 80, address }) === undefined).toBe(isAllowed);
    // The server itself is refused all the same.
    if (address === "127.0.0.1") {
      expect(lifted.findProblem({ hostname, port: 3000, address })).toContain("this server itself");
    }
  });

  const allowing = createAddressPolicy({
    allow: ["wiki.internal", "10.1.0.0/16", "192.168.7.7", "fd12::/16"],
    ownPort: 3000,
  });

  it.each([
    ["a name, at any address", { hostname: "Wiki.Internal.", address: "172.16.0.1" }],
    ["an address of a network", { hostname: "10.1.255.1" }],
    ["a name at such an address", { hostname: "example.org", address: "10.1.0.1" }],
    ["an IPv4-mapped form of it", { hostname: "[::ffff:10.1.0.1]" }],
    ["a single address", { hostname: "192.168.7.7" }],
    ["an IPv6 network", { hostname: "[fd12::9]" }],
  ])("allows what is listed: %s", (_what, destination) => {
    expect(allowing.findProblem({ port: 80, ...destination })).toBeUndefined();
  });

  it.each([
    ["a name below a listed one", { hostname: "old.wiki.internal" }],
    ["the next network", { hostname: "10.2.0.1" }],
    ["the next address", { hostname: "192.168.7.8" }],
    ["the next IPv6 network", { hostname: "[fd13::9]" }],
  ])("refuses what is not listed: %s", (_what, destination) => {
    expect(allowing.findProblem({ port: 80, ...destination })).toBeTypeOf("string");
  });

  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  it.each(["127.0.0.1", "127.8.8.8", "[::1]", "0.0.0.0", ...own.map(({ address }) => address)])(
    "refuses the server's own port at %s, even if the address is allowed",
    (hostname) => {
      const policy = createAddressPolicy({ allow: ["0.0.0.0/0", "::/0"], ownPort: 3000 });
      expect(policy.findProblem({ hostname, port: 3000 })).toContain("itself");
      expect(policy.findProblem({ hostname, port: 3001 })).toBeUndefined();
    },
  );
});
