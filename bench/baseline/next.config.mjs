import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  // Uses the project's packages.
  turbopack: { root: join(import.meta.dirname, "../..") },
  // Next also looks for a proxy and instrumentation in parent folders, and would load Parley's.
  pageExtensions: ["baseline.js"],
};
