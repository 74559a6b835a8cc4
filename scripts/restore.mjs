// npm run restore -- FILE: restores a backup into an empty database and data directory.
import { runBundledProgram } from "./run-bundled-program.mjs";

process.exit(
  await runBundledProgram("src/server/backup/restore-process.ts", {
    args: process.argv.slice(2),
    // A worker's role is refused without PostgreSQL, and this program runs no turns.
    env: { PARLEY_ROLE: "all" },
  }),
);
