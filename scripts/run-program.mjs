import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const PARENT_CHECK_MS = 500;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Creates the environment of all programs that the scripts start. Disables their telemetry. */
const createEnvironment = (extra) => ({
  ...process.env,
  PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  NEXT_TELEMETRY_DISABLED: "1",
  STORYBOOK_DISABLE_TELEMETRY: "1",
  CHECKPOINT_DISABLE: "1",
  ...extra,
});

const parentId = process.ppid;

/** @returns undefined where there is no `/proc`. The shells of those systems give npm's place to the script. */
const readGrandparentId = () => {
  try {
    const [, fields] = readFileSync(`/proc/${parentId}/stat`, "latin1").split(/.*\) /s);
    return fields.split(" ")[1];
  } catch {
    return undefined;
  }
};
const grandparentId = readGrandparentId();

/**
 * Calls back when the npm that started this process has ended. A signal to npm ends it, and its shell too
 * unless the signal is SIGKILL, but does not reach this process.
 *
 * @returns function that stops watching.
 */
const onNpmExit = (callback) => {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid === parentId && readGrandparentId() === grandparentId) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  return () => clearInterval(timer);
};

const run = (command, args, { env, stdio }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio, env: createEnvironment(env) });
    const forward = (signal) => {
      // A signal to the process group ends npm too, which would be another signal for the program.
      stopWatching();
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const stopWatching = onNpmExit(() => forward("SIGTERM"));
    const stopForwarding = () => {
      stopWatching();
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.on("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.on("exit", (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });

/**
 * Runs a program in the repository's root with this process's terminal, and forwards signals to it.
 *
 * @param env additional variables; `undefined` removes one.
 * @returns its exit code; like a shell, 128 + the signal's number if a signal ended it.
 */
export const runProgram = (command, args, env = {}) =>
  run(command, args, { env, stdio: "inherit" });

/** Like `runProgram`, with a channel to the program, which closes when this process is killed. */
export const runServer = (command, args, env = {}) =>
  run(command, args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
