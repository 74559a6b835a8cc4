/** A worker claims every second. One claim may wait for a connection that does not answer, so this is longer. */
const MAX_SILENCE_MS = 15_000;

/** What the worker of a process reports for the readiness probe. */
export type WorkerActivity = {
  /** Of the last claim, also one that found nothing, as `performance.now()`; undefined without a worker. */
  claimedAt?: number | undefined;
};

/** Whether the worker of a process still claims chats; true for a process without a worker. */
export const isWorkerAlive = ({ claimedAt }: WorkerActivity): boolean =>
  claimedAt === undefined || claimedAt > performance.now() - MAX_SILENCE_MS;
