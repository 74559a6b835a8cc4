/** @returns the message of a caught value; never empty. */
export const getErrorMessage = (error: unknown): string => {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  return "unknown error";
};
