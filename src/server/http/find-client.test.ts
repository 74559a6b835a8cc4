import { describe, expect, it } from "vitest";
import { createClientFinder } from "./find-client";

describe("a request's client", () => {
  it.each([
    ["the socket's address without proxies", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    [
      "the socket's address if it is no named proxy",
      ["10.0.0.1"],
      "10.0.0.2",
      "1.1.1.1",
      "10.0.0.2",
    ],
    ["what the proxy appended", ["10.0.0.1"], "10.0.0.1", "1.1.1.1, 2.2.2.2", "2.2.2.2"],
    [
      "what the first of several proxies appended",
      ["10.0.0.0/8"],
      "10.0.0.1",
      "1.1.1.1, 2.2.2.2, 10.0.0.7",
      "2.2.2.2",
    ],
    ["the proxy if it names no client", ["10.0.0.1"], "10.0.0.1", undefined, "10.0.0.1"],
    ["the proxy if it names no address", ["10.0.0.1"], "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
    [
      "the last one if all are proxies",
      ["10.0.0.0/8"],
      "10.0.0.1",
      "10.0.0.3, 10.0.0.2",
      "10.0.0.3",
    ],
    ["an IPv4 address in its IPv6 form", ["127.0.0.1"], "::ffff:127.0.0.1", "1.1.1.1", "1.1.1.1"],
    ["an IPv6 client", ["::1", "fd00::/8"], "fd00::2", "2001:db8::5, ::1", "2001:db8::5"],
    ["without brackets and port", ["::1"], "::1", "[2001:db8::5]:4711", "2001:db8::5"],
    ["without zone", ["fe80::/10"], "fe80::1%eth0", "1.1.1.1", "1.1.1.1"],
    ["without port", ["::1"], "::1", "1.1.1.1:4711", "1.1.1.1"],
    ["no address at all", ["::1"], "unknown", "1.1.1.1", "unknown"],
  ])("is %s", (_, proxies, remoteAddress, forwardedFor, client) => {
    expect(createClientFinder(proxies).findClient({ remoteAddress, forwardedFor })).toBe(client);
  });
});
