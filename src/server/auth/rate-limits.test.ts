import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { createRateLimits, type RateLimits } from "./rate-limits";

let now: number;
beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const ADA = { account: "ada@example.org", network: "192.0.2.1", knownBrowser: undefined };
const wrong = () => Promise.resolve(undefined);
const right = () => Promise.resolve("signed in");

/** @returns the seconds to wait, or how the check ended. */
const attempt = async (
  limits: RateLimits,
  who: Parameters<RateLimits["tryPassword"]>[0],
  check: () => Promise<string | undefined> = wrong,
): Promise<number | string> => {
  try {
    return (await limits.tryPassword(who, check)) ?? "wrong";
  } catch (error) {
    if (error instanceof DomainError && error.code === "limit_exceeded") {
      return error.retryAfterSeconds ?? 0;
    }
    throw error;
  }
};

const fail = async (limits: RateLimits, who: typeof ADA, times: number): Promise<void> => {
  for (let index = 0; index < times; index++) {
    expect(await attempt(limits, { ...who, account: `${index}@example.org` })).toBe("wrong");
  }
};

describe("wrong passwords", () => {
  it("are free five times, then each doubles the delay up to five minutes", async () => {
    const limits = createRateLimits();
    const delays: number[] = [];
    for (let failures = 1; failures <= 15; failures++) {
      expect(await attempt(limits, ADA)).toBe("wrong");
      if (failures < 5) continue;
      const delay = Number(await attempt(limits, ADA));
      delays.push(delay);
      now += delay * 1_000;
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it("delay the next one from their end on, as a check may be slow", async () => {
    const limits = createRateLimits();
    for (let failures = 1; failures <= 4; failures++) await attempt(limits, ADA);
    const slow = () => {
      now += 60_000;
      return wrong();
    };
    expect(await attempt(limits, ADA, slow)).toBe("wrong");
    expect(await attempt(limits, ADA, right)).toBe(1);
  });

  it("are forgotten after a right one", async () => {
    const limits = createRateLimits();
    for (let round = 0; round < 3; round++) {
      for (let failures = 1; failures <= 4; failures++) {
        expect(await attempt(limits, ADA)).toBe("wrong");
      }
      expect(await attempt(limits, ADA, right)).toBe("signed in");
    }
  });

  it("are counted when they begin: of eighty at once, five are tried", async () => {
    const limits = createRateLimits();
    const check = vi.fn(wrong);
    const results = await Promise.all(
      Array.from({ length: 80 }, () => attempt(limits, ADA, check)),
    );
    expect(check).toHaveBeenCalledTimes(5);
    expect(results.filter((result) => result === 1)).toHaveLength(75);
  });

  it("are not counted when the check fails for another reason", async () => {
    const limits = createRateLimits();
    const busy = () => Promise.reject(new DomainError("unavailable", "busy"));
    for (let index = 0; index < 100; index++) {
      await expect(limits.tryPassword(ADA, busy)).rejects.toMatchObject({ code: "unavailable" });
    }
    expect(await attempt(limits, ADA, right)).toBe("signed in");
  });

  it("of one network are limited over all accounts, and successes are not counted", async () => {
    const limits = createRateLimits();
    for (let index = 0; index < 100; index++) {
      const who = { ...ADA, account: `colleague-${index}@example.org` };
      expect(await attempt(limits, who, right)).toBe("signed in");
    }
    await fail(limits, ADA, 40);
    expect(await attempt(limits, ADA)).toBeGreaterThan(200);
    // Attempts that are refused do not make it longer for the others.
    expect(await attempt(limits, { ...ADA, network: "192.0.2.2" }, right)).toBe("signed in");
  });

  it("of many networks are limited per account", async () => {
    const limits = createRateLimits();
    for (let index = 0; index < 30; index++) {
      expect(await attempt(limits, { ...ADA, network: `198.51.100.${index}` })).toBe("wrong");
    }
    const stranger = { ...ADA, network: "203.0.113.1" };
    expect(await attempt(limits, stranger, right)).toBeGreaterThan(800);
    const other = { ...stranger, account: "bob@example.org" };
    expect(await attempt(limits, other, right)).toBe("signed in");
  });

  it("of others never lock out a browser that signed in before", async () => {
    const limits = createRateLimits();
    for (let index = 0; index < 30; index++) {
      await attempt(limits, { ...ADA, network: `198.51.100.${index}` });
    }
    await fail(limits, ADA, 40);
    for (let index = 0; index < 10; index++) await attempt(limits, ADA);
    const known = { ...ADA, knownBrowser: "a browser" };
    expect(await attempt(limits, known, right)).toBe("signed in");
    for (let index = 0; index < 5; index++) expect(await attempt(limits, known)).toBe("wrong");
    expect(await attempt(limits, known, right)).toBe(1);
    expect(await attempt(limits, { ...known, knownBrowser: "another one" }, right)).toBe(
      "signed in",
    );
  });
});

describe("invalid keys", () => {
  it("of one network are limited, those of others are not", async () => {
    const limits = createRateLimits();
    for (let index = 0; index < 30; index++) await limits.countInvalidKey("192.0.2.1");
    await expect(limits.countInvalidKey("192.0.2.1")).rejects.toMatchObject({
      code: "limit_exceeded",
    });
    await expect(limits.countInvalidKey("192.0.2.2")).resolves.toBeUndefined();
  });
});
