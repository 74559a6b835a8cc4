import * as scrypt from "better-auth/crypto";
import pLimit from "p-limit";
import { DomainError } from "@/contract/domain-error";

/**
 * A hash occupies a thread for about 0.1 s. Node has four threads for these and for all file
 * accesses, so strangers who try passwords may keep two of them busy and no more.
 */
const MAX_CONCURRENT_HASHES = 2;
/** Ten hashes per thread: the last one waits about a second. */
const MAX_WAITING_HASHES = 20;

const limit = pLimit(MAX_CONCURRENT_HASHES);

const runLimited = <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (limit.pendingCount >= MAX_WAITING_HASHES) {
    throw new DomainError("unavailable", "Too many people are signing in. Try again in a moment.", {
      retryAfterSeconds: 2,
    });
  }
  return limit(work);
};

/** @throws {DomainError} `unavailable` when too many hashes wait. */
export const hashPassword = async (password: string): Promise<string> =>
  runLimited(() => scrypt.hashPassword(password));

/** @throws {DomainError} `unavailable` when too many hashes wait. */
export const verifyPassword = async (given: { hash: string; password: string }): Promise<boolean> =>
  runLimited(() => scrypt.verifyPassword(given));
