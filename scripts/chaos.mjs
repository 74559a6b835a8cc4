// npm run chaos: builds if the sources have changed and runs faults against the server, see chaos/README.md.
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { runBundledProgram } from "./run-bundled-program.mjs";

const code = await ensureBuilt(await ensureInstalled());
if (code !== 0) process.exit(code);
process.exit(await runBundledProgram("chaos/chaos-process.ts", { args: process.argv.slice(2) }));
