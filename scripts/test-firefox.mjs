// npm run test:firefox: checks in Firefox what browsers do in different ways, see e2e/firefox/firefox-process.ts.
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { runBundledProgram } from "./run-bundled-program.mjs";

const code = await ensureBuilt(await ensureInstalled());
process.exit(
  code ||
    (await runBundledProgram("e2e/firefox/firefox-process.ts", { env: { NODE_ENV: "test" } })),
);
