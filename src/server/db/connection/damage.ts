import { statfsSync } from "node:fs";
import path from "node:path";
import { getErrorMessage } from "@/lib/error-message";
import { classifyFailure } from "./database-failure";

/** The recovery after a crash may write two segments of the log, of 16 MB each. */
const RECOVERY_MEGABYTES = 32;

/** What the operator of an embedded database does when some of its data cannot be read. */
export const describeRepair = (dataDir: string): string =>
  `Stop Parley, move all but the file "secret" of ${dataDir} to another place and keep it, ` +
  "then restore a backup with `npm run restore -- FILE`.";

/** A directory that PostgreSQL did not write like this. @param reason what is missing or wrong. */
export const createDamageError = (directory: string, reason: string, cause?: unknown): Error =>
  new Error(
    `The embedded database in ${directory} is damaged: ${reason}. ${describeRepair(path.dirname(directory))}`,
    { cause },
  );

/** Keeps why PostgreSQL did not start: only its log says so, as PGlite's errors have no reason. */
export const createStartLog = () => {
  let reason: string | undefined;
  let detail: string | undefined;
  return {
    add: (line: string): boolean => {
      const [, severity, text = ""] = /\] ([A-Z]+): {2}(.*)/.exec(line) ?? [];
      if (severity === "FATAL" || severity === "PANIC") [reason, detail] = [text, undefined];
      if (severity === "DETAIL") detail = text.replace(/\.$/, "");
      // Passed on to PGlite, which prints it only while it is debugged.
      return true;
    },
    /** @returns the reason, with names of files as they are below the directory. */
    reason: (): string | undefined =>
      reason && [reason, detail].filter(Boolean).join(": ").replaceAll("/pglite/data/", ""),
  };
};

/**
 * Says why an embedded database could not be opened, and what to do.
 *
 * @param reason what PostgreSQL wrote to its log before it ended.
 * @returns the error itself when neither the disk nor the directory is the cause.
 */
export const explainOpening = (
  error: unknown,
  directory: string,
  reason: string | undefined,
): unknown => {
  const { bavail, bsize } = statfsSync(directory);
  if (Math.floor((bavail * bsize) / 1024 / 1024) < RECOVERY_MEGABYTES) {
    return new Error(
      `The embedded database in ${directory} cannot be opened, because its disk is full: ` +
        `free at least ${RECOVERY_MEGABYTES} MB, then start again.`,
      { cause: error },
    );
  }
  const said =
    reason ?? (classifyFailure(error) === "damaged" ? getErrorMessage(error) : undefined);
  if (said === undefined) return error;
  if (/Permission denied|Operation not permitted/.test(said)) {
    return new Error(
      `The embedded database in ${directory} cannot be opened: ${said}. ` +
        "Give this account the right to read and write all files of that directory.",
      { cause: error },
    );
  }
  return createDamageError(directory, said, error);
};
