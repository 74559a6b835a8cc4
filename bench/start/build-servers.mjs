import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../scripts/ensure-built.mjs";
import { runProgram } from "../../scripts/run-program.mjs";

const root = join(import.meta.dirname, "../..");
const stamp = join(root, "bench/baseline/.next/.source");

const readBaselineSource = () =>
  [
    "package-lock.json",
    "bench/baseline/next.config.mjs",
    "bench/baseline/app/api/chat/route.baseline.js",
  ]
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\0");

const buildBaseline = async () => {
  const source = readBaselineSource();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === source) return 0;
  const next = ["node_modules/next/dist/bin/next", "build", "bench/baseline"];
  const code = await runProgram(process.execPath, next, { NODE_ENV: "production" });
  if (code === 0) writeFileSync(stamp, source);
  return code;
};

/** Builds the servers for production, unless they are built from the same sources. */
export const buildServers = async ({ baseline }) => {
  const steps = [() => ensureBuilt(process.execPath), ...(baseline ? [buildBaseline] : [])];
  for (const step of steps) {
    if ((await step()) !== 0) throw new Error("a build failed");
  }
};
