import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { loadEnvFile } from "./load-env-file.mjs";
import { runServer } from "./run-program.mjs";

const root = join(import.meta.dirname, "..");

/**
 * Bundles and runs a program that runs without Next.js.
 *
 * @param entry path from the repository's root.
 * @param options the program's arguments, and variables of its environment.
 * @returns its exit code.
 */
export const runBundledProgram = async (entry, { args = [], env = {} } = {}) => {
  loadEnvFile();
  const node = await ensureInstalled();
  // In separate processes, so that the bundler's memory is freed; their output is not the program's.
  const steps = [
    [join(root, "node_modules/prisma/build/index.js"), "generate"],
    [join(root, "scripts/build-programs.mjs"), entry],
  ];
  let output = "";
  for (const step of steps) {
    const { status, stdout } = spawnSync(node, step, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) return status ?? 1;
    output = stdout;
  }
  const command = ["--enable-source-maps", output.trim(), ...args];
  return runServer(node, command, { NODE_ENV: "production", ...env });
};
