/**
 * Suspends one loop until `wake` is called. A wake that comes while the loop is busy, such as in a read,
 * ends its next sleep at once; several count as one.
 */
export const createWaker = () => {
  let resume: (() => void) | undefined;
  let isWoken = false;
  return {
    wake: (): void => {
      isWoken = resume === undefined;
      resume?.();
      resume = undefined;
    },
    sleep: async (): Promise<void> => {
      if (!isWoken) await new Promise<void>((resolve) => (resume = resolve));
      isWoken = false;
    },
  };
};
