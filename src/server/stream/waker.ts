/**
 * Lets one loop sleep until something calls `wake`. The loop looks for work and goes to sleep
 * without an await in between, so no wake is lost.
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
