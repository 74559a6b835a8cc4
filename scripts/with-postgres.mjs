// with-postgres.mjs <command> …: runs the command with a PostgreSQL's URL in TEST_DATABASE_URL: the
// one that is already set, else that of a private server for the time of the command.
// PARLEY_TEST_POSTGRES=system|npm|15|16|17 chooses the binaries of the private server.
import { startPrivatePostgres } from "./private-postgres.mjs";
import { runProgram } from "./run-program.mjs";

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error("usage: node scripts/with-postgres.mjs <command> [argument …]");
  process.exit(2);
}

const { TEST_DATABASE_URL } = process.env;
if (TEST_DATABASE_URL) process.exit(await runProgram(command, args));

// A signal during the start is handled after it, so that the server is stopped.
let receivedSignal;
const rememberSignal = (signal) => (receivedSignal = signal);
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, rememberSignal);

const postgres = await startPrivatePostgres();
console.log(`PostgreSQL from ${postgres.from}`);
let code = 1;
try {
  if (!receivedSignal) code = await runProgram(command, args, { TEST_DATABASE_URL: postgres.url });
} finally {
  await postgres.stop();
}
process.exit(code);
