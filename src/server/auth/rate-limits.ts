import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/contract/domain-error";

/** Long enough to make guessing passwords impractical, short enough to wait out after a typo. */
const WINDOW_SECONDS = 5 * 60;
/** Attempts per e-mail address; a successful one resets the count. */
const SIGN_INS_PER_EMAIL = 10;
/** Attempts per network address, which a whole office may share. */
const SIGN_INS_PER_SOURCE = 40;
/** Requests with unknown keys per network address and minute; each one costs a query. */
const UNKNOWN_KEYS_PER_SOURCE = 30;

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Creates limits that count in memory, per process: they slow down guessing and are not quotas. */
export const createRateLimits = () => {
  const perEmail = new RateLimiterMemory({ points: SIGN_INS_PER_EMAIL, duration: WINDOW_SECONDS });
  const perSource = new RateLimiterMemory({
    points: SIGN_INS_PER_SOURCE,
    duration: WINDOW_SECONDS,
  });
  const unknownKeys = new RateLimiterMemory({ points: UNKNOWN_KEYS_PER_SOURCE, duration: 60 });

  return {
    /** @throws {DomainError} `limit_exceeded`. */
    beforeSignIn: async (headers: Headers, email: string): Promise<void> => {
      await consume(perSource, getSource(headers));
      await consume(perEmail, email.toLowerCase());
    },
    afterSignIn: async (headers: Headers, email: string): Promise<void> => {
      await perEmail.delete(email.toLowerCase());
      await perSource.reward(getSource(headers));
    },
    /** @throws {DomainError} `limit_exceeded`. */
    beforeUnknownKey: async (headers: Headers): Promise<void> => {
      const state = await unknownKeys.get(getSource(headers));
      if (state && state.consumedPoints >= UNKNOWN_KEYS_PER_SOURCE) throw toLimitError(state);
    },
    afterUnknownKey: async (headers: Headers): Promise<void> => {
      await unknownKeys.penalty(getSource(headers));
    },
  };
};

/** The nearest proxy appends the last address; without a proxy, Next sets the header. */
const getSource = (headers: Headers): string =>
  headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, 64) ?? "unknown";

const consume = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw toLimitError(error);
    throw error;
  }
};

const toLimitError = ({ msBeforeNext }: RateLimiterRes): DomainError =>
  new DomainError("limit_exceeded", "Too many attempts: wait a while, then try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
