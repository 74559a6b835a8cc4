/** Prints why the process cannot start and ends it: it would go on and fail every request. */
export const exitWithReason = (error: unknown): never => {
  process.stderr.write(`Parley cannot start. ${toReason(error)}\n`);
  process.exit(1);
};

/** Our own errors are sentences for the operator; all others are bugs and need their stack. */
const toReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.name === "Error" ? error.message : (error.stack ?? error.name);
};
