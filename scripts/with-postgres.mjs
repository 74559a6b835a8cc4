// with-postgres.mjs <command> …: runs the command with TEST_DATABASE_URL naming a real PostgreSQL:
// the one that the variable already names, else a private one that lives as long as the command.
// PARLEY_TEST_POSTGRES=system|npm chooses where the private one comes from.
import { startPrivatePostgres } from "./private-postgres.mjs";
import { runProgram } from "./run-program.mjs";

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error("usage: node scripts/with-postgres.mjs <command> [argument …]");
  process.exit(2);
}

const { TEST_DATABASE_URL, PARLEY_TEST_POSTGRES } = process.env;
if (TEST_DATABASE_URL) process.exit(await runProgram(command, args));

// While it starts, a signal must not leave it behind: it is acted on as soon as it runs.
let stoppedBy;
const remember = (signal) => (stoppedBy = signal);
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, remember);

const postgres = await startPrivatePostgres(PARLEY_TEST_POSTGRES);
console.log(`PostgreSQL from ${postgres.from}`);
let code = 1;
try {
  if (!stoppedBy) code = await runProgram(command, args, { TEST_DATABASE_URL: postgres.url });
} finally {
  await postgres.stop();
}
process.exit(code);
