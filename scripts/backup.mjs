// npm run backup -- FILE: writes a backup of the database and the data directory, also while the server runs.
import { runBundledProgram } from "./run-bundled-program.mjs";

process.exit(
  await runBundledProgram("src/server/backup/backup-process.ts", {
    args: process.argv.slice(2),
    // A worker's role is refused without PostgreSQL, and this program runs no turns.
    env: { PARLEY_ROLE: "all" },
  }),
);
