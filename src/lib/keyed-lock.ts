import pLimit, { type LimitFunction } from "p-limit";

/** Creates a function that runs one body at a time for each key, in the order of the calls. */
export const createKeyedLock = () => {
  const locks = new Map<string, LimitFunction>();
  return async <Result>(key: string, body: () => Promise<Result>): Promise<Result> => {
    const lock = locks.get(key) ?? pLimit(1);
    locks.set(key, lock);
    try {
      return await lock(body);
    } finally {
      if (lock.activeCount + lock.pendingCount === 0) locks.delete(key);
    }
  };
};
