import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Actor } from "@/server/context";
import { createCredentialCache } from "./credential-cache";

const actor = (userId: string): Actor => ({
  userId,
  role: "member",
  credential: { type: "session", id: userId },
});
const load = (userId?: string) =>
  vi.fn(() => Promise.resolve(userId === undefined ? undefined : actor(userId)));

let now: number;
const advance = async (ms: number) => {
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
};

beforeEach(() => {
  now = 1;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("createCredentialCache", () => {
  it("loads a key once until its time is over", async () => {
    const cache = createCredentialCache<Actor>();
    const loadFirst = load("first");
    const loadSecond = load("second");
    expect(await cache.fetch("key", { context: loadFirst })).toEqual(actor("first"));
    await advance(4_990);
    expect(await cache.fetch("key", { context: loadSecond })).toEqual(actor("first"));
    await advance(20);
    expect(await cache.fetch("key", { context: loadSecond })).toEqual(actor("second"));
    expect(loadFirst).toHaveBeenCalledTimes(1);
    expect(loadSecond).toHaveBeenCalledTimes(1);
  });

  it("shares one load between requests at the same time", async () => {
    const cache = createCredentialCache<Actor>();
    const { promise, resolve } = Promise.withResolvers<Actor>();
    const loadSlowly = vi.fn(() => promise);
    const both = [
      cache.fetch("key", { context: loadSlowly }),
      cache.fetch("key", { context: loadSlowly }),
    ];
    resolve(actor("value"));
    expect(await Promise.all(both)).toEqual([actor("value"), actor("value")]);
    expect(loadSlowly).toHaveBeenCalledTimes(1);
  });

  it("does not cache that nothing was found", async () => {
    const cache = createCredentialCache<Actor>();
    expect(await cache.fetch("key", { context: load() })).toBeUndefined();
    expect(await cache.fetch("key", { context: load("value") })).toEqual(actor("value"));
  });

  it("does not cache a failure", async () => {
    const cache = createCredentialCache<Actor>();
    const fail = () => Promise.reject(new Error("no database"));
    await expect(cache.fetch("key", { context: fail })).rejects.toThrow("no database");
    expect(await cache.fetch("key", { context: load("value") })).toEqual(actor("value"));
  });

  it("does not cache what was loading when it was cleared", async () => {
    const cache = createCredentialCache<Actor>();
    const { promise, resolve } = Promise.withResolvers<Actor>();
    const value = cache.fetch("key", { context: () => promise });
    cache.clear();
    const newValue = cache.fetch("key", { context: load("new") });
    resolve(actor("old"));
    expect(await value).toEqual(actor("old"));
    expect(await newValue).toEqual(actor("new"));
    expect(await cache.fetch("key", { context: load("newer") })).toEqual(actor("new"));
  });

  it("does not cache what was loading when it was cleared, without a newer load", async () => {
    const cache = createCredentialCache<Actor>();
    const { promise, resolve } = Promise.withResolvers<Actor>();
    const value = cache.fetch("key", { context: () => promise });
    cache.clear();
    resolve(actor("old"));
    expect(await value).toEqual(actor("old"));
    expect(await cache.fetch("key", { context: load("new") })).toEqual(actor("new"));
  });

  it("drops the entry that was not used for longest when it is full", async () => {
    const cache = createCredentialCache<Actor>();
    const keys = Array.from({ length: 10_001 }, (_, index) => `key-${index}`);
    for (const key of keys) await cache.fetch(key, { context: load(key) });
    const loadAgain = load("again");
    for (const key of ["key-10000", "key-1"]) await cache.fetch(key, { context: loadAgain });
    expect(loadAgain).not.toHaveBeenCalled();
    expect(await cache.fetch("key-0", { context: loadAgain })).toEqual(actor("again"));
  });
});
