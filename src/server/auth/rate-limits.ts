import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/contract/domain-error";
import { createSignInBackoff } from "./sign-in-backoff";

/** Failed sign-ins of one network in five minutes, over all accounts: a whole office may share it. */
const FAILURES_PER_NETWORK = { points: 40, duration: 5 * 60 };
/** Failed sign-ins to one account in 15 minutes, which slows down guessing from many networks. */
const FAILURES_PER_ACCOUNT = { points: 30, duration: 15 * 60 };
/** Requests with invalid keys of one network in a minute. */
const INVALID_KEYS_PER_NETWORK = { points: 30, duration: 60 };

/** Who tries a password, and of which account. */
type PasswordAttempt = {
  account: string;
  network: string;
  /** A browser that signed in to the account before; the failures of others do not count for it. */
  knownBrowser: string | undefined;
};

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Creates limits that count in memory, per process: they slow down guessing and are not quotas. */
export const createRateLimits = () => {
  const backoff = createSignInBackoff();
  const perNetwork = new RateLimiterMemory(FAILURES_PER_NETWORK);
  const perAccount = new RateLimiterMemory(FAILURES_PER_ACCOUNT);
  const invalidKeys = new RateLimiterMemory(INVALID_KEYS_PER_NETWORK);

  /** @returns a function that uncounts the attempt. */
  const countStranger = async ({ network, account }: PasswordAttempt) => {
    await consume(perNetwork, network);
    try {
      await consume(perAccount, account);
    } catch (error) {
      await uncount(perNetwork, network);
      throw error;
    }
    return async (): Promise<void> => {
      await uncount(perNetwork, network);
      await uncount(perAccount, account);
    };
  };

  return {
    /**
     * Runs a check of a password within the limits. It counts as failed while it runs, so that many
     * checks at the same time cannot all pass.
     *
     * @param check resolves to undefined for a wrong password; if it rejects, nothing is counted.
     * @throws {DomainError} `limit_exceeded` before the check.
     */
    tryPassword: async <Result>(
      attempt: PasswordAttempt,
      check: () => Promise<Result | undefined>,
    ): Promise<Result | undefined> => {
      const { account, network, knownBrowser } = attempt;
      const key = JSON.stringify([account, knownBrowser ?? network, knownBrowser !== undefined]);
      const delayMs = backoff.begin(key);
      if (delayMs > 0) throw createLimitError(delayMs);
      let uncountAttempt = (): Promise<void> => Promise.resolve();
      try {
        if (knownBrowser === undefined) uncountAttempt = await countStranger(attempt);
        const result = await check();
        if (result === undefined) {
          backoff.fail(key);
          return undefined;
        }
        await uncountAttempt();
        backoff.succeed(key);
        return result;
      } catch (error) {
        await uncountAttempt();
        backoff.cancel(key);
        throw error;
      }
    },
    /** @throws {DomainError} `limit_exceeded` after too many from that network. */
    countInvalidKey: (network: string): Promise<void> => consume(invalidKeys, network),
  };
};

/** Counts an attempt. Refuses one over the limit, without counting it. */
const consume = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    await uncount(limiter, key);
    throw createLimitError(error.msBeforeNext);
  }
};

/** Takes a count back. Removes a key without failures, because strangers may send any number of addresses. */
const uncount = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
  const { consumedPoints } = await limiter.reward(key);
  if (consumedPoints <= 0) await limiter.delete(key);
};

const createLimitError = (delayMs: number): DomainError => {
  const seconds = Math.max(1, Math.ceil(delayMs / 1_000));
  const unit = seconds === 1 ? "second" : "seconds";
  return new DomainError("limit_exceeded", `Too many attempts. Try again in ${seconds} ${unit}.`, {
    retryAfterSeconds: seconds,
  });
};
