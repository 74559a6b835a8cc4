import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const PARENT_CHECK_MS = 500;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The environment of everything that the scripts start; no tool of it calls home. */
const environment = (extra) => ({
  ...process.env,
  PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  NEXT_TELEMETRY_DISABLED: "1",
  STORYBOOK_DISABLE_TELEMETRY: "1",
  CHECKPOINT_DISABLE: "1",
  ...extra,
});

const parent = process.ppid;

/**
 * Calls back once npm, which started us, is gone: a signal to npm ends it and its shell, and never
 * arrives here.
 *
 * @returns ends the watch.
 */
const onNpmGone = (callback) => {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  return () => clearInterval(timer);
};

/**
 * Runs a program in the repository's root with the terminal as its own, and passes signals on.
 *
 * @param env variables on top of ours; `undefined` removes one.
 * @returns its exit code; 128 + the signal's number when a signal ended it, as a shell does.
 */
export const runProgram = (command, args, env = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", env: environment(env) });
    const forward = (signal) => child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    const stopWatching = onNpmGone(() => forward("SIGTERM"));
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
