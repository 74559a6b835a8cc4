import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 100;
const STOP_TIMEOUT_MS = 10_000;
const LOG_EXCERPT = 4_000;

/** Programs that are killed when this process exits. */
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/**
 * @typedef {{
 *   pid: number,
 *   readFirstLine: () => Promise<string>,
 *   waitForResponse: (url: string) => Promise<void>,
 *   waitForOutput: (pattern: RegExp) => Promise<RegExpExecArray>,
 *   stop: () => Promise<void>,
 * }} Program
 */

/**
 * Starts a Node.js program in the repository's root. It ends with this process at the latest.
 *
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Program}
 */
export const startProgram = (args, env = {}) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  running.add(child);
  child.on("exit", () => running.delete(child));
  let output = "";
  const appendOutput = (chunk) => (output = (output + chunk).slice(-LOG_EXCERPT));
  child.stdout.on("data", appendOutput);
  child.stderr.on("data", appendOutput);
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  const waitUntil = async (isReady) => {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await isReady())) {
      if (!isRunning() || Date.now() > deadline) {
        throw new Error(`${args.join(" ")} did not start:\n${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
    }
  };

  return {
    pid: child.pid,
    readFirstLine: async () => {
      await waitUntil(() => output.includes("\n"));
      return output.split("\n", 1)[0];
    },
    waitForOutput: async (pattern) => {
      let found = null;
      await waitUntil(() => (found = pattern.exec(output)) !== null);
      return found;
    },
    waitForResponse: (url) =>
      waitUntil(async () => {
        const response = await fetch(url).catch(() => undefined);
        return response?.ok ?? false;
      }),
    stop: async () => {
      if (!isRunning()) return;
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
};
