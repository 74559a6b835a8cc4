/**
 * Suspends one loop until `wake` is called. A wake that comes while the loop is busy, such as in a read,
 * ends its next sleep at once; several count as one.
 */
export const createWaker = () => {
  let next = Promise.withResolvers<void>();
  return {
    wake: (): void => next.resolve(),
    sleep: async (): Promise<void> => {
      await next.promise;
      next = Promise.withResolvers();
    },
  };
};
