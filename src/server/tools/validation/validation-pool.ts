import type { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { FieldError } from "@/contract/problem";
import type { ValidationReply, ValidationTask } from "@/contract/validation-job";
import { createKeyedLock } from "@/lib/keyed-lock";
import { startThread } from "@/server/start-thread";
import { waitForCpuTime } from "./wait-for-cpu-time";

/** Threads that run at once. Two, so that one expensive job does not stop those of other users. */
const MAX_THREADS = 2;
/** CPU time of one job: far longer than ordinary schemas take, short enough for others to wait for. */
const BUDGET_MS = 100;
/** Others wait for a job no longer than this, also when the machine is so busy that it gets no CPU time. */
const MAX_JOB_MS = 5_000;
/** A thread loads its program before its first job, which takes long on a busy machine. */
const START_TIMEOUT_MS = 10_000;
/** A thread holds some megabytes, so it ends when it has had no job for this time. */
const IDLE_MS = 30_000;
/** Far more than a job with a request body of 1 MiB needs. */
const MAX_HEAP_MB = 128;

/** @returns the errors of the tasks that were done in time, in order; fewer than tasks if one was not. */
export type RunValidationJob = (
  userId: string,
  tasks: readonly ValidationTask[],
) => Promise<FieldError[][]>;

let pool: RunValidationJob | undefined;

/** @returns the process's pool. */
export const validationPool = (): RunValidationJob => (pool ??= createValidationPool());

/**
 * Runs jobs in threads that are ended when a job exceeds its budget: a pattern that backtracks cannot be
 * stopped otherwise. Each user has one job at a time, and the jobs of different users run in the order in
 * which they came.
 */
const createValidationPool = (): RunValidationJob => {
  const idleThreads = createIdleThreads();
  const withUserLock = createKeyedLock();
  const withThread = pLimit(MAX_THREADS);
  const runJob = async (tasks: readonly ValidationTask[]): Promise<FieldError[][]> => {
    const thread = idleThreads.take() ?? startThread("validation-thread", MAX_HEAP_MB);
    let isUsable = false;
    try {
      const result = await runOnThread(thread, tasks);
      ({ isUsable } = result);
      return result.reports;
    } finally {
      if (isUsable) idleThreads.keep(thread);
      else await thread.terminate();
    }
  };
  return (userId, tasks) => withUserLock(userId, () => withThread(() => runJob(tasks)));
};

const createIdleThreads = () => {
  const timers = new Map<Worker, NodeJS.Timeout>();
  const remove = (thread: Worker): void => {
    clearTimeout(timers.get(thread));
    timers.delete(thread);
  };
  return {
    take: (): Worker | undefined => {
      const [thread] = timers.keys();
      if (thread) remove(thread);
      return thread;
    },
    keep: (thread: Worker): void => {
      const end = () => {
        remove(thread);
        thread.terminate().catch(() => undefined);
      };
      timers.set(thread, setTimeout(end, IDLE_MS).unref());
    },
  };
};

type JobResult = {
  reports: FieldError[][];
  /** False when the job was not done in time, so that the thread must be ended. */
  isUsable: boolean;
};

/** Runs a job. Rejects when the thread does not start. */
const runOnThread = async (
  thread: Worker,
  tasks: readonly ValidationTask[],
): Promise<JobResult> => {
  const reports: FieldError[][] = [];
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const onStartTimeout = () => reject(new Error("a validation thread did not start in time"));
  const timer = setTimeout(onStartTimeout, START_TIMEOUT_MS);
  const settled = new AbortController();
  let hasStarted = false;
  const onMessage = (reply: ValidationReply) => {
    if (reply.type === "checked") {
      if (reports.push(reply.errors) === tasks.length) resolve(true);
      return;
    }
    hasStarted = true;
    clearTimeout(timer);
    waitForCpuTime({
      readCpuMs: () => readCpuMs(thread),
      cpuMs: BUDGET_MS,
      maxMs: MAX_JOB_MS,
      signal: settled.signal,
      // Replies that arrived while this process was busy are read before an immediate runs.
    }).then(() => setImmediate(() => resolve(false)), reject);
  };
  // It may also end by itself: at its limit of memory, or as its program is missing.
  const onEnd = (cause: unknown) => {
    if (hasStarted) resolve(false);
    else reject(new Error("a validation thread could not start", { cause }));
  };
  thread.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
  try {
    thread.postMessage(tasks);
    return { reports, isUsable: await promise };
  } finally {
    clearTimeout(timer);
    settled.abort();
    thread.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
  }
};

const readCpuMs = async (thread: Worker): Promise<number> => {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1_000;
};
