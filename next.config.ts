import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // The type check is a stage of its own, for all code of the repository.
  typescript: { ignoreBuildErrors: true },
  // These load files of their own package at run time, or must exist once per process.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@lydell/node-pty",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@xterm/headless",
    "pg",
    "pino",
    "prom-client",
  ],
  turbopack: {
    // As Vite has it, which bundles the other programs.
    rules: { "*": { condition: { query: "?raw" }, type: "text" } },
  },
  // Its index exports links and helpers that no page uses.
  experimental: { optimizePackageImports: ["@trpc/client"] },
  outputFileTracingIncludes: { "/**": ["./prisma/migrations/**/*"] },
};

export default config;
