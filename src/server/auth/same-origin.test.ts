import { expect, it } from "vitest";
import { requireSameOrigin } from "./same-origin";

const PUBLIC = "https://chat.example.org";

/** Whether a write of a page is accepted. */
const isAccepted = (
  headers: { origin: string; host?: string; [name: string]: string | undefined },
  publicUrl: string | null = null,
): boolean => {
  const { host = "chat.example.org", ...others } = headers;
  try {
    requireSameOrigin({ headers: new Headers({ host, ...others }) }, publicUrl);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ["the scheme", "https://chat.example.org:3000"],
  ["the port", "http://chat.example.org:3001"],
  ["the port, which is that of the scheme", "http://chat.example.org"],
  ["the host", "http://other.example.org:3000"],
  ["a host that only begins alike", "http://chat.example.org.evil.test:3000"],
  ["user info", "http://chat.example.org:3000@evil.test"],
  ["a path, which no browser sends", "http://chat.example.org:3000/"],
  ["everything", "null"],
])("refuses a page of an origin that differs by %s", (_what, origin) => {
  const host = "chat.example.org:3000";
  expect(isAccepted({ origin, host })).toBe(false);
  expect(isAccepted({ origin: "http://chat.example.org:3000", host })).toBe(true);
});

it("takes the scheme from the proxy that the front has believed", () => {
  const proto = { "x-forwarded-proto": "https, http" };
  expect(isAccepted({ origin: PUBLIC, ...proto })).toBe(true);
  expect(isAccepted({ origin: PUBLIC, host: "chat.example.org:443", ...proto })).toBe(true);
  expect(isAccepted({ origin: "http://chat.example.org", ...proto })).toBe(false);
  expect(isAccepted({ origin: PUBLIC, "x-forwarded-proto": "javascript" })).toBe(false);
});

it("takes the host of the public address with its scheme only, whatever the request says", () => {
  expect(isAccepted({ origin: PUBLIC }, PUBLIC)).toBe(true);
  expect(isAccepted({ origin: PUBLIC, host: "10.0.0.5:3000" }, `${PUBLIC}/`)).toBe(true);
  const plain = "http://chat.example.org";
  expect(isAccepted({ origin: plain }, PUBLIC)).toBe(false);
  expect(isAccepted({ origin: plain, "x-forwarded-proto": "http" }, PUBLIC)).toBe(false);
  expect(isAccepted({ origin: "http://10.0.0.5:3000", host: "10.0.0.5:3000" }, PUBLIC)).toBe(true);
});

it("says what to set when only the scheme differs", () => {
  const headers = new Headers({ host: "chat.example.org", origin: PUBLIC });
  expect(() => {
    requireSameOrigin({ headers }, null);
  }).toThrow(/open at https:\/\/chat.example.org, .* set PARLEY_PUBLIC_URL/);
});
