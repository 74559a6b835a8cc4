import { isUnavailable } from "@/contract/domain-error";

/** What could not be ended is left out for this long, so that it does not stop the others. */
const RETRY_MS = 60_000;

type EndEachDeps<Item> = {
  /** @param except the keys of those that have failed. */
  list: (except: readonly string[]) => Promise<Item[]>;
  toKey: (item: Item) => string;
  end: (item: Item) => Promise<void>;
  onFailure: (item: Item, error: unknown) => void;
};

/** Returns the job that ends what is due, one by one. It rejects only when the database is away. */
export const createEndEach = <Item>({ list, toKey, end, onFailure }: EndEachDeps<Item>) => {
  /** The keys of those that failed, with the time of their next try by the process's monotonic clock. */
  const failed = new Map<string, number>();
  return async (): Promise<void> => {
    for (const [key, retryAt] of failed) if (retryAt <= performance.now()) failed.delete(key);
    for (const item of await list([...failed.keys()])) {
      try {
        await end(item);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        failed.set(toKey(item), performance.now() + RETRY_MS);
        onFailure(item, error);
      }
    }
  };
};
