/**
 * Schemas that one operation of a form may apply to values. Ordinary forms need hundreds, in a few
 * milliseconds; nested choices cost ten times as much each, and may multiply without a limit.
 */
const MAX_APPLIED_SCHEMAS = 10_000;

let remaining: number | undefined;

/** Runs an operation; all operations that it includes share its budget. */
export const withWorkBudget = <Result>(operation: () => Result): Result => {
  if (remaining !== undefined) return operation();
  remaining = MAX_APPLIED_SCHEMAS;
  try {
    return operation();
  } finally {
    remaining = undefined;
  }
};

/** @returns false when the operation must come to its end. */
export const spendWork = (): boolean => {
  remaining = (remaining ?? 0) - 1;
  return remaining >= 0;
};
