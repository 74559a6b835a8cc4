/**
 * Time that all streams together may use in one event-loop iteration: long enough that yielding
 * costs little, short enough that timers and other requests are not delayed noticeably.
 */
const BUDGET_MS = 8;

/** Creates a time budget for many concurrent streams, so that they do not block the event loop. */
export const createEventLoopBudget = (budgetMs = BUDGET_MS) => {
  let startedAt: number | undefined;
  let nextIteration: Promise<void> | undefined;
  let resume: (() => void) | undefined;

  const reset = (): void => {
    startedAt = undefined;
    nextIteration = undefined;
    resume?.();
    resume = undefined;
  };

  return {
    /**
     * To be called after each unit of work.
     *
     * @param at `performance.now()`.
     * @returns a promise of the next iteration once the budget is spent, else undefined.
     */
    yieldIfSpent: (at: number): Promise<void> | undefined => {
      if (startedAt === undefined) {
        startedAt = at;
        setImmediate(reset);
        return undefined;
      }
      if (at - startedAt < budgetMs) return undefined;
      nextIteration ??= new Promise((resolve) => (resume = resolve));
      return nextIteration;
    },
  };
};
