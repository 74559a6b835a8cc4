import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 25;

/**
 * Asks again and again until there is an answer.
 *
 * @param ask gives undefined for "not yet"; what it throws counts as that until time is up.
 * @throws {Error} naming what was waited for, with the last failure as its cause.
 */
export const until = async <Answer>(
  what: string,
  withinMs: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> => {
  const end = performance.now() + withinMs;
  for (;;) {
    let failure: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= end) {
      throw new Error(`${what}: not within ${withinMs} ms`, { cause: failure });
    }
    await pause(POLL_MS);
  }
};
