import { isExactNumber } from "./exact-json";

/** Whether a value is an object whose fields are not known: no list, and no exact number. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
