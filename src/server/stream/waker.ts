/**
 * Suspends one loop until `wake` is called. The loop checks for work and sleeps without an await in
 * between, so no wake is lost.
 */
export const createWaker = () => {
  let resume: (() => void) | undefined;
  return {
    wake: (): void => {
      resume?.();
      resume = undefined;
    },
    sleep: (): Promise<void> => new Promise((resolve) => (resume = resolve)),
  };
};
