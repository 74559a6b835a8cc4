import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // These load files of their own package at run time, or must exist once per process.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@prisma/adapter-pg",
    "@prisma/client",
    "pg",
    "pino",
    "prom-client",
  ],
  outputFileTracingIncludes: { "/**": ["./prisma/migrations/**/*"] },
};

export default config;
