// npm run owner:reset: sets a new password for the owner and signs out all browsers. The password is
// random, or the first line of the standard input with `npm run owner:reset -- --password-stdin`.
import { runBundledProgram } from "./run-bundled-program.mjs";

process.exit(
  await runBundledProgram("src/server/auth/reset-owner-process.ts", {
    args: process.argv.slice(2),
    // A worker's role is refused without PostgreSQL, and this program runs no turns.
    env: { PARLEY_ROLE: "all" },
  }),
);
