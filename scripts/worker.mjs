// npm run worker: runs a worker without the web server, on the same PostgreSQL.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { loadEnvFile } from "./load-env-file.mjs";
import { runProgram } from "./run-program.mjs";

const root = join(import.meta.dirname, "..");
loadEnvFile();
const node = await ensureInstalled();
const prisma = ["node_modules/prisma/build/index.js", "generate"];
const code = await runProgram(node, prisma);
if (code !== 0) process.exit(code);
// In a separate process, so that the bundler's memory is freed.
const { status, stdout } = spawnSync(node, [join(root, "scripts/build-worker.mjs")], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (status !== 0) process.exit(status ?? 1);
process.exit(
  await runProgram(node, ["--enable-source-maps", stdout.trim()], { NODE_ENV: "production" }),
);
