/**
 * Calls `onSilent` once when nothing was heard for as long as the limit. Hearing something
 * costs an assignment: the one timer looks back when it fires.
 */
export const createSilenceWatch = (limitMs: number, onSilent: () => void) => {
  let limit = limitMs;
  let heardAt = performance.now();

  const look = (): void => {
    const left = heardAt + limit - performance.now();
    if (left <= 0) onSilent();
    else timer = setTimeout(look, left);
  };
  let timer = setTimeout(look, limit);

  return {
    /** @param at `performance.now()`. */
    heard: (at: number): void => {
      heardAt = at;
    },
    /** Another limit, counted from when something was last heard. */
    allow: (ms: number): void => {
      if (ms === limit) return;
      limit = ms;
      clearTimeout(timer);
      timer = setTimeout(look, ms);
    },
    stop: (): void => clearTimeout(timer),
  };
};
