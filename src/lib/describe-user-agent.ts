import { parse } from "bowser";

/** Names the browser and the system of a `user-agent` header: `Firefox on Linux`. */
export const describeUserAgent = (userAgent: string | null): string => {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = parse(userAgent);
  // Bowser names an unknown browser with an empty text.
  const name = browser.name ?? "";
  const system = platform.model ?? os.name;
  return `${name === "" ? UNKNOWN : name}${system ? ` on ${system}` : ""}`;
};

const UNKNOWN = "Unknown browser";
