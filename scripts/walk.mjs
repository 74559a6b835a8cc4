// npm run walk: counts the functions and files of src/server that one message runs, see tooling/walk/walk-process.ts.
import { runBundledProgram } from "./run-bundled-program.mjs";

process.exit(
  await runBundledProgram("tooling/walk/walk-process.ts", { args: process.argv.slice(2) }),
);
