const KEY = Symbol.for("parley.shutdown");
const registry = globalThis as unknown as Record<symbol, AbortController | undefined>;

/** Aborted when the process is told to stop: streams without an end watch it and end. */
export const shutdown: AbortController = (registry[KEY] ??= new AbortController());

/** Kept-alive sockets would hold the process for 5 s more; streams need a moment to say goodbye. */
const GRACE_MS = 1_500;

/**
 * Ends the streams on SIGTERM and SIGINT, then the process, once `drain` has settled. A second
 * signal ends it at once.
 *
 * @param drain lets running work end; it bounds its own time.
 */
export const installShutdown = (drain: () => Promise<unknown> = () => Promise.resolve()): void => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (shutdown.signal.aborted) process.exit(code);
      shutdown.abort(new Error("the server is stopping"));
      const exitSoon = () => setTimeout(() => process.exit(code), GRACE_MS).unref();
      drain().then(exitSoon, exitSoon);
    });
  }
};
