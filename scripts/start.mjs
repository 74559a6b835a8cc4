// npm start: installs missing packages, builds if the sources have changed, migrates the database
// and runs the server.
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { loadEnvFile } from "./load-env-file.mjs";
import { runProgram } from "./run-program.mjs";
import { serve } from "./serve.mjs";

loadEnvFile();
const node = await ensureInstalled();
const steps = [
  () => ensureBuilt(node),
  // The server migrates the embedded database when it opens it.
  () => (process.env.DATABASE_URL ? runProgram(node, ["scripts/db-migrate.mjs"]) : 0),
  () => serve(node, "start"),
];
for (const step of steps) {
  const code = await step();
  if (code !== 0) process.exit(code);
}
