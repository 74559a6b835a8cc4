// npm run worker: runs a worker without the web server, on the same PostgreSQL.
import { runBundledProgram } from "./run-bundled-program.mjs";

process.exit(
  await runBundledProgram("src/server/app/worker-process.ts", {
    env: { PARLEY_ROLE: "worker" },
  }),
);
