import { setTimeout as sleep } from "node:timers/promises";

const registry = globalThis as unknown as Record<symbol, AbortController | undefined>;

/** Stored on `globalThis`, as routes and instrumentation have their own modules. */
const getProcessController = (name: string): AbortController =>
  (registry[Symbol.for(name)] ??= new AbortController());

/** Aborted when the process is told to stop: endless streams watch it and end. */
export const shutdown = getProcessController("parley.shutdown");

/** Aborted when the dependencies of requests are being closed: any later failure is caused by it. */
export const closing = getProcessController("parley.closing");

/** Keep-alive sockets would hold the process for 5 s more; streams need a moment to end cleanly. */
const GRACE_MS = 1_500;

type ShutdownDeps = {
  /** Lets running work end, within a limit of its own. */
  drain: () => Promise<unknown>;
  /** Closes what requests need. They come until the end: a page whose stream ended reconnects. */
  close: () => Promise<unknown>;
};

/** Ends the streams on SIGTERM and SIGINT, then the process. A second signal ends it at once. */
export const installShutdown = (deps: ShutdownDeps): void => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (shutdown.signal.aborted) process.exit(code);
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
