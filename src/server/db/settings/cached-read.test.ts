import { expect, it, vi } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createCachedRead } from "./cached-read";

const EXPIRED_MS = 6_000;

/** A value whose reads are answered by the test, in any order. */
const createReads = (initial?: string) => {
  const reads: PromiseWithResolvers<string>[] = [];
  const cache = createCachedRead({
    db: {} as Database,
    channel: "test",
    read: () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
    ...(initial !== undefined && { initial }),
  });
  return { cache, reads };
};

it("returns nothing that was read before a change", async () => {
  const { cache, reads } = createReads();
  const early = cache.get();
  cache.forget();
  const late = cache.get();
  reads[1]?.resolve("new");
  expect(await late).toBe("new");
  reads[0]?.resolve("old");
  expect(await early).toBe("new");
  expect(await cache.get()).toBe("new");
  expect(reads).toHaveLength(2);
});

it("returns the last value while the database is away, and reads no more than after a success", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { cache, reads } = createReads("initial");
    const first = cache.get();
    reads[0]?.reject(new Error("away"));
    expect(await first).toBe("initial");
    expect(await cache.get()).toBe("initial");
    vi.advanceTimersByTime(EXPIRED_MS);
    const second = cache.get();
    reads[1]?.resolve("read");
    await second;
    vi.advanceTimersByTime(EXPIRED_MS);
    const third = cache.get();
    reads[2]?.reject(new Error("away"));
    expect(await third).toBe("read");
  } finally {
    vi.useRealTimers();
  }
});

it("rejects without an initial value, and reads again", async () => {
  const { cache, reads } = createReads();
  const first = cache.get();
  reads[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  const second = cache.get();
  reads[1]?.resolve("read");
  expect(await second).toBe("read");
});
