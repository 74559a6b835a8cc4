// npm run mutants: says which deliberate faults of the machine no test sees, see tooling/mutants/mutants-process.ts.
import { runBundledProgram } from "./run-bundled-program.mjs";

process.exit(
  await runBundledProgram("tooling/mutants/mutants-process.ts", {
    args: process.argv.slice(2),
    env: { NODE_ENV: "test", TEST_DATABASE_URL: undefined, LOG_LEVEL: "silent" },
  }),
);
