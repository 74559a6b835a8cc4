import type { ServerResponse } from "node:http";

/** Without any request, nothing can be delayed any more. */
const MAX_WAIT_MS = 10_000;

/** Tells when a server has been ready for the first time, seen from outside. */
type FirstAnswerDeps = {
  isReady: () => boolean;
  /** May be called more than once. Does not throw. */
  markReady: () => void;
};

/**
 * Marks a server ready when it has answered its first request, or none was sent for a while. A probe that asks whether
 * the process lives says nothing on that, and a failure neither.
 */
export const createFirstAnswer = ({ isReady, markReady }: FirstAnswerDeps) => ({
  /** Watches for the answer of a request. */
  watch: (target: string, response: ServerResponse): void => {
    if (isReady() || target.startsWith("/healthz")) return;
    response.once("finish", () => {
      if (response.statusCode < 500) markReady();
    });
  },
  /** Called when the server listens. Keeps no process alive. */
  limit: (): void => void setTimeout(markReady, MAX_WAIT_MS).unref(),
});
