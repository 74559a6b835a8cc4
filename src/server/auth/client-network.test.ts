import { expect, it } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import { getClientNetwork, toNetwork } from "./client-network";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s belongs to %s", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

it("reads the header of the HTTP front only", () => {
  const headers = new Headers({
    "x-forwarded-for": "198.51.100.1",
    [CLIENT_ADDRESS_HEADER]: "192.0.2.7",
  });
  expect(getClientNetwork(headers)).toBe("192.0.2.7");
  expect(getClientNetwork(new Headers({ "x-forwarded-for": "198.51.100.1" }))).toBe("unknown");
});
