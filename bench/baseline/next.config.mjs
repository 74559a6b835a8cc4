import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  // The packages are the project's own.
  turbopack: { root: join(import.meta.dirname, "../..") },
  // Next looks for a proxy and instrumentation in the folders above too, and would find Parley's.
  pageExtensions: ["baseline.js"],
};
