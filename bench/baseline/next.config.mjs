import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  // The packages are the project's own.
  turbopack: { root: join(import.meta.dirname, "../..") },
};
