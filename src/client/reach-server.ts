/** The server answers a look within milliseconds; a longer silence is a lost network. */
const LOOK_TIMEOUT_MS = 5_000;
/** How soon what waits for the server goes on when it is back. */
const RETRY_DELAY_MS = 1_000;

/** Returns whether the server answers. It does not throw. */
export const isServerReachable = async (signal: AbortSignal): Promise<boolean> => {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LOOK_TIMEOUT_MS)]);
    return (await fetch("/healthz", { cache: "no-store", signal: limited })).ok;
  } catch {
    return false;
  }
};

/** Resolves before the next look at the server, or when the signal is aborted. It does not throw. */
export const waitToRetry = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, RETRY_DELAY_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Resolves when the server answers, or when the signal is aborted, with whether it was away. It does not throw. */
export const waitForServer = async (signal: AbortSignal): Promise<boolean> => {
  let wasAway = false;
  while (!signal.aborted && !(await isServerReachable(signal))) {
    wasAway = true;
    await waitToRetry(signal);
  }
  return wasAway;
};
