import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Sdk from "@modelcontextprotocol/client";

let loaded: typeof Sdk | undefined;

/** Loads the SDK when the first server is connected to, as that takes 100 ms, which most processes do not need. */
export const loadSdk = (): typeof Sdk => {
  // The path of a bundle says nothing about where the packages are.
  const load = createRequire(join(process.cwd(), "package.json"));
  return (loaded ??= load("@modelcontextprotocol/client") as typeof Sdk);
};
