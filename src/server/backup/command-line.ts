import path from "node:path";
import { getErrorMessage } from "@/lib/error-message";
import { callerDirectory } from "@/server/env";

/** @throws {Error} how the program is used, unless there is one file. */
export const readFileArgument = (positionals: readonly string[], usage: string): string => {
  const [file = "", ...others] = positionals;
  if (file === "" || others.length > 0) throw new Error(`Usage: ${usage}`);
  return path.resolve(callerDirectory(), file);
};

/** @returns such as "1 chat" and "3,210 chats". */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** Says what did not happen, and why, and makes the exit code 1. */
export const printFailure = (sentence: string, error: unknown): void => {
  process.stderr.write(`${sentence} ${getErrorMessage(error)}\n`);
  process.exitCode = 1;
};
