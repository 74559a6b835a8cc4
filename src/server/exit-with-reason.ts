/** Prints why the process cannot start and ends it: it would go on and fail every request. */
export const exitWithReason = (error: unknown): never => {
  process.stderr.write(`Parley cannot start. ${toReason(error)}\n`);
  process.exit(1);
};

/** EX_IOERR of sysexits.h: a supervisor can distinguish it from a failed start. */
const DATABASE_FAILURE_CODE = 74;
/** Time for the responses of the requests that fail with the database. */
const FAILURE_GRACE_MS = 500;

/** Prints why the embedded database cannot go on, and ends the process: only a new one can open it again. */
export const exitAfterDatabaseFailure = (error: unknown): void => {
  process.exitCode = DATABASE_FAILURE_CODE;
  process.stderr.write(
    `Parley stops, because its embedded database failed: ${toReason(error)}. ` +
      "All acknowledged data is stored. Free disk space if the disk is full, then start Parley again.\n",
  );
  setTimeout(() => process.exit(DATABASE_FAILURE_CODE), FAILURE_GRACE_MS);
};

/** Our own errors are sentences for the operator; all others are bugs and need their stack. */
const toReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "DomainError" && error.cause !== undefined) return toReason(error.cause);
  return error.name === "Error" || error.name === "error"
    ? error.message
    : (error.stack ?? error.name);
};
