/** Whether a caught value is an error with one of these codes, such as "ENOENT" of the file system. */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
