/**
 * Runs something at most once per interval: at once after a quiet time, then at the end of each
 * interval in which it was asked for. "At once" is after the current events of the process, so
 * that what comes in one network read goes out in one piece.
 */
export const createThrottle = (intervalMs: number, run: () => void) => {
  let state: "idle" | "waiting" | "firing" | "cooling" = "idle";
  let due = false;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  const fire = (): void => {
    state = "cooling";
    due = false;
    timer = setTimeout(cooled, intervalMs);
    timer.unref();
    run();
  };
  const cooled = (): void => {
    if (due) return fire();
    state = "idle";
  };
  return {
    /** Asks for a run that should not wait longer than it must. */
    leading: (): void => {
      if (state === "cooling") due = true;
      if (state === "cooling" || state === "firing") return;
      if (state === "waiting") clearTimeout(timer);
      state = "firing";
      immediate = setImmediate(fire);
    },
    /** Asks for a run that gladly waits an interval for more. */
    trailing: (): void => {
      due = true;
      if (state !== "idle") return;
      state = "waiting";
      timer = setTimeout(fire, intervalMs);
      timer.unref();
    },
    /** Forgets what was asked for. */
    cancel: (): void => {
      state = "idle";
      due = false;
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
};
