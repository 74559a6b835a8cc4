import { setTimeout as sleep } from "node:timers/promises";
import { shareInProcess } from "@/server/share-in-process";

/** Aborted when the process receives a signal to stop, so that open streams end. */
export const shutdown = shareInProcess("shutdown", () => new AbortController());

/** Aborted before the dependencies of requests are closed, because requests may fail from then on. */
export const closing = shareInProcess("closing", () => new AbortController());

/** Time for streams to end cleanly. Waiting for keep-alive sockets instead would take 5 s. */
const GRACE_MS = 1_500;
/**
 * Signals within this time are one. A signal to the whole process group reaches this process directly, and again by
 * each script that forwards it.
 */
const SAME_SIGNAL_MS = 1_000;

type ShutdownDeps = {
  /** Lets running work end, within a limit of its own. */
  drain: () => Promise<unknown>;
  /** Closes the dependencies of requests, which arrive until the end because pages reconnect. */
  close: () => Promise<unknown>;
};

/**
 * Ends the streams on SIGTERM and SIGINT, then the process. A later signal ends it at once. The end of
 * the script that started this process counts as SIGTERM: without it nothing would forward signals.
 */
export const installShutdown = (deps: ShutdownDeps): void => {
  let signaledAt: number | undefined;
  process.once("disconnect", () => {
    if (signaledAt === undefined) process.kill(process.pid, "SIGTERM");
  });
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (signaledAt !== undefined) {
        if (performance.now() - signaledAt > SAME_SIGNAL_MS) process.exit(code);
        return;
      }
      signaledAt = performance.now();
      shutdown.abort(new Error("the server is stopping"));
      const exit = () => process.exit(code);
      stop(deps).then(exit, exit);
    });
  }
};

const stop = async ({ drain, close }: ShutdownDeps): Promise<void> => {
  try {
    await drain();
    await sleep(GRACE_MS);
  } finally {
    closing.abort();
    await close();
  }
};
