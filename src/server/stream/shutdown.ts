import { setTimeout as sleep } from "node:timers/promises";

const registry = globalThis as unknown as Record<symbol, AbortController | undefined>;

/** Kept on `globalThis`, as routes and instrumentation have their own modules. */
const ofTheProcess = (name: string): AbortController =>
  (registry[Symbol.for(name)] ??= new AbortController());

/** Aborted when the process is told to stop: streams without an end watch it and end. */
export const shutdown = ofTheProcess("parley.shutdown");

/** Aborted when what requests need is being closed: whatever fails from then on fails by it. */
export const closing = ofTheProcess("parley.closing");

/** Kept-alive sockets would hold the process for 5 s more; streams need a moment to say goodbye. */
const GRACE_MS = 1_500;

type Stopping = {
  /** Lets running work end; bounds its own time. */
  drain: () => Promise<unknown>;
  /** Closes what requests need. They come until the end: a page whose stream ended asks again. */
  close: () => Promise<unknown>;
};

/** Ends the streams on SIGTERM and SIGINT, then the process. A second signal ends it at once. */
export const installShutdown = (stopping: Stopping): void => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (shutdown.signal.aborted) process.exit(code);
      shutdown.abort(new Error("the server is stopping"));
      const exit = () => process.exit(code);
      stop(stopping).then(exit, exit);
    });
  }
};

const stop = async ({ drain, close }: Stopping): Promise<void> => {
  try {
    await drain();
    await sleep(GRACE_MS);
  } finally {
    closing.abort();
    await close();
  }
};
