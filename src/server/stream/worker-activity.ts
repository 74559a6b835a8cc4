/** A worker claims every second. One claim may wait for a connection that does not answer, so this is longer. */
const MAX_SILENCE_MS = 15_000;

export type WorkerActivity = ReturnType<typeof createWorkerActivity>;

/** Whether the workers of this process still claim chats; asked by the readiness probe. */
export const createWorkerActivity = () => {
  const workers = new Set<{ claimedAt: number }>();
  return {
    /** Registers a worker that runs from now on. */
    register: () => {
      const worker = { claimedAt: performance.now() };
      workers.add(worker);
      return {
        /** Reports a claim, also one that found nothing. */
        report: (): void => {
          worker.claimedAt = performance.now();
        },
        end: (): void => void workers.delete(worker),
      };
    },
    /** True for a process without a worker. */
    isAlive: (maxSilenceMs = MAX_SILENCE_MS): boolean => {
      const oldest = performance.now() - maxSilenceMs;
      return [...workers].every(({ claimedAt }) => claimedAt > oldest);
    },
  };
};
