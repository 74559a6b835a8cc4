/**
 * Waits for a promise, but not forever. Nothing is left of the wait when it is over; it keeps no process alive.
 *
 * @returns undefined when the time is over first. Rejects when the promise does.
 */
export const waitAtMost = async <Result>(
  promise: Promise<Result>,
  ms: number,
): Promise<Result | undefined> => {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), ms);
  timer.unref();
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    clearTimeout(timer);
  }
};
