/**
 * Calls a function at most once per interval: at once after an idle interval, else at the end of the
 * running one. "At once" is after the pending events of the event loop, so that everything from one
 * network read leaves together.
 */
export const createThrottle = (intervalMs: number, run: () => void) => {
  let state: "idle" | "waiting" | "firing" | "cooling" = "idle";
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  const fire = (): void => {
    state = "cooling";
    isDue = false;
    timer = setTimeout(endInterval, intervalMs);
    timer.unref();
    run();
  };
  const endInterval = (): void => {
    if (isDue) return fire();
    state = "idle";
  };
  return {
    /** Requests a run as early as the interval allows. */
    leading: (): void => {
      if (state === "cooling") isDue = true;
      if (state === "cooling" || state === "firing") return;
      if (state === "waiting") clearTimeout(timer);
      state = "firing";
      immediate = setImmediate(fire);
    },
    /** Requests a run after an interval, in which more may come. */
    trailing: (): void => {
      isDue = true;
      if (state !== "idle") return;
      state = "waiting";
      timer = setTimeout(fire, intervalMs);
      timer.unref();
    },
    /** Drops the requested run. */
    cancel: (): void => {
      state = "idle";
      isDue = false;
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
};
