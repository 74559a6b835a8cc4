// npm run worker: runs turns without the web server, against the same PostgreSQL.
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
// In a process of its own, so that the bundler's memory goes away.
const { status, stdout } = spawnSync(node, [join(root, "scripts/build-worker.mjs")], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (status !== 0) process.exit(status ?? 1);
process.exit(
  await runProgram(node, ["--enable-source-maps", stdout.trim()], { NODE_ENV: "production" }),
);
