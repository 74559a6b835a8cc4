import { createUnauthorizedError } from "@/server/auth/authenticator";
import { shutdown } from "@/server/stream/shutdown";
import type { OperationContext } from "./operation-context";

type LongPollContext = Pick<OperationContext, "auth" | "actor" | "signal">;

/**
 * Lets a request wait, within the limit of its credential. What waits holds no connection of the database.
 *
 * @param wait resolves to the answer: when what it waits for has come, and soon after the signal is aborted, which it is when
 *   the time is over, the client is gone, the credential has ended, or the server stops.
 * @throws {DomainError} `limit_exceeded` before it waits, `unauthorized` when the credential has ended meanwhile, and what
 *   `wait` throws.
 */
export const holdRequest = async <Result>(
  { auth, actor, signal }: LongPollContext,
  seconds: number,
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const end = new AbortController();
  let isRevoked = false;
  // A string as reason, because the default DOMException captures a stack for each request.
  const stop = (): void => end.abort("over");
  const unwatch = auth.watchCredential(
    actor.credential,
    () => {
      isRevoked = true;
      stop();
    },
    "long_poll",
  );
  const timer = setTimeout(stop, seconds * 1_000);
  const signals = [signal, shutdown.signal];
  for (const each of signals) each.addEventListener("abort", stop);
  try {
    if (signals.some(({ aborted }) => aborted)) stop();
    const result = await wait(end.signal);
    if (isRevoked) throw createUnauthorizedError();
    return result;
  } finally {
    clearTimeout(timer);
    unwatch();
    for (const each of signals) each.removeEventListener("abort", stop);
  }
};
