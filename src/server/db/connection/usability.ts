import { classifyFailure, DatabaseFailure } from "./database-failure";

/** How soon an address that cannot be used is checked again. */
const RETRY_MS = 1_000;

/**
 * Decides whether an address can be used, at first and again whenever that may have changed.
 *
 * @param check rejects with a sentence if it cannot, or with a failure of the connection.
 * @param onRecovery called when it can be used again.
 */
export const createUsability = (check: () => Promise<void>, onRecovery: () => void) => {
  let first: Promise<void> | undefined;
  let unusable: DatabaseFailure | undefined;
  let isChecking = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const checkAgain = (): void => {
    const succeed = (): void => {
      isChecking = false;
      if (unusable) onRecovery();
      unusable = undefined;
    };
    const fail = (error: unknown): void => {
      // While the server is away, calls fail by themselves.
      if (classifyFailure(error) === undefined)
        unusable = new DatabaseFailure("unreachable", error);
      if (!isClosed) timer = setTimeout(checkAgain, RETRY_MS).unref();
    };
    check().then(succeed, fail);
  };

  return {
    /** @throws {Error} why it cannot be used: what `check` says at first, a `DatabaseFailure` after it could. */
    require: async (): Promise<void> => {
      if (unusable) throw unusable;
      await (first ??= check().catch((error: unknown) => {
        first = undefined;
        throw error;
      }));
    },
    /** Checks in the background, until it is known: calls go on meanwhile. */
    recheck: (): void => {
      if (first === undefined || isChecking || isClosed) return;
      isChecking = true;
      checkAgain();
    },
    close: (): void => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
};
