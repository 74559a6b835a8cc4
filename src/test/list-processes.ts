import { execFileSync } from "node:child_process";

/** Hostile commands, also of other tests, have arguments of megabytes. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** Lists processes of this machine. @param options of `ps`. @returns a line each. */
export const listProcesses = (...options: string[]): string[] =>
  execFileSync("ps", options, { encoding: "utf8", maxBuffer: MAX_LIST_BYTES }).split("\n");
