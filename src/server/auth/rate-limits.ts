import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/contract/domain-error";

/** Long enough that guessing a password is hopeless, short enough to wait out a forgotten one. */
const WINDOW_SECONDS = 5 * 60;
/** Tries for one address of a person; a success clears them. */
const SIGN_INS_PER_EMAIL = 10;
/** Tries from one network address, behind which may sit an office. */
const SIGN_INS_PER_SOURCE = 40;
/** Requests with unknown keys from one network address in a minute, each of which is a query. */
const FAILED_KEYS_PER_SOURCE = 30;

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Counts in memory, per process: the limits slow guessing down, they are no quota. */
export const createRateLimits = () => {
  const perEmail = new RateLimiterMemory({ points: SIGN_INS_PER_EMAIL, duration: WINDOW_SECONDS });
  const perSource = new RateLimiterMemory({
    points: SIGN_INS_PER_SOURCE,
    duration: WINDOW_SECONDS,
  });
  const failedKeys = new RateLimiterMemory({ points: FAILED_KEYS_PER_SOURCE, duration: 60 });

  return {
    /** @throws {DomainError} `limit_exceeded`. */
    beforeSignIn: async (headers: Headers, email: string): Promise<void> => {
      await consume(perSource, sourceOf(headers));
      await consume(perEmail, email.toLowerCase());
    },
    afterSignIn: async (headers: Headers, email: string): Promise<void> => {
      await perEmail.delete(email.toLowerCase());
      await perSource.reward(sourceOf(headers));
    },
    /** @throws {DomainError} `limit_exceeded`. */
    beforeUnknownKey: async (headers: Headers): Promise<void> => {
      const state = await failedKeys.get(sourceOf(headers));
      if (state && state.consumedPoints >= FAILED_KEYS_PER_SOURCE) throw tooMany(state);
    },
    afterUnknownKey: async (headers: Headers): Promise<void> => {
      await failedKeys.penalty(sourceOf(headers));
    },
  };
};

/** The nearest proxy appends the address it saw; Next fills the header in when there is none. */
const sourceOf = (headers: Headers): string =>
  headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, 64) ?? "unknown";

const consume = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw tooMany(error);
    throw error;
  }
};

const tooMany = ({ msBeforeNext }: RateLimiterRes): DomainError =>
  new DomainError("limit_exceeded", "Too many attempts: wait a while, then try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
