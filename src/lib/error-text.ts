/** What a caught value says of itself; never throws and is never empty. */
export const errorText = (error: unknown): string => {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  return "unknown error";
};
