/** Lets one waiting loop sleep until something calls `wake`; a wake while it is busy is kept. */
export const createWaker = () => {
  let woken = false;
  let resume: (() => void) | undefined;
  return {
    wake: (): void => {
      woken = true;
      resume?.();
      resume = undefined;
    },
    /** Resolves at the first `wake` since the last sleep. */
    sleep: async (): Promise<void> => {
      if (!woken) await new Promise<void>((resolve) => (resume = resolve));
      woken = false;
    },
  };
};
