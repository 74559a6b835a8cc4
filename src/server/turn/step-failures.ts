import type { ChatError } from "@/contract/chat-error";
import { calculateRetryDelay, MAX_ATTEMPTS, MAX_PAID_ATTEMPTS } from "@/lib/retry-delay";
import type { MeasuredAnswer, StoredRetry } from "@/server/db/chats/rows";
import type { NextRetry } from "@/server/db/sql/machine/turn-retries";
import type { StepOutcome } from "@/server/model/model-step";
import type { Turn } from "./turn-deps";

type StepFailure = Extract<StepOutcome, { type: "failed" }>["failure"];

const NO_FAILURES = { failures: 0, paid_failures: 0 } satisfies Partial<StoredRetry>;

export type StepFailures = ReturnType<typeof createStepFailures>;

/**
 * Counts the calls of a step that failed and their time, and keeps the longest of their answers, over deferrals too.
 *
 * @param deps.startedAt when the step would have begun if its chat had never been deferred, in milliseconds.
 */
export const createStepFailures = (
  { lastRetry }: Pick<Turn, "lastRetry">,
  { startedAt, now }: { startedAt: number; now: () => Date },
) => {
  // Attempts that a crash ended count towards the limit but do not lengthen the retry delay.
  const { failures, paid_failures } = lastRetry ?? NO_FAILURES;
  const counts = { failures, paid_failures };
  let longest = lastRetry?.longest && reviveAnswer(lastRetry.longest);

  const isOver = (attempt: number): boolean =>
    Math.max(counts.failures, attempt) >= MAX_ATTEMPTS || counts.paid_failures >= MAX_PAID_ATTEMPTS;

  return {
    /** @returns the next try, if there is one, and the longest answer so far. */
    add: (
      { retryAfterMs, isUnusable, ...error }: StepFailure,
      measured: MeasuredAnswer,
      { attempt, random }: { attempt: number; random: number },
    ): { error: ChatError; retry: NextRetry | undefined; longest: MeasuredAnswer } => {
      counts.failures += 1;
      if (isUnusable || measured.characters > 0) counts.paid_failures += 1;
      if (!longest || measured.characters >= longest.characters) longest = measured;
      if (!error.retryable || isOver(attempt)) return { error, retry: undefined, longest };
      const retry = {
        attempt: attempt + 1,
        delay_ms: calculateRetryDelay(counts.failures, random, retryAfterMs),
        kind: error.kind,
        message: error.message,
        ...counts,
        spent_ms: now().getTime() - startedAt,
        ...(longest.characters > 0 && { longest }),
      };
      return { error, retry, longest };
    },
  };
};

/** Times are strings in the stored JSON. */
const reviveAnswer = ({ characters, answer }: MeasuredAnswer): MeasuredAnswer => ({
  characters,
  answer: {
    ...answer,
    parts: answer.parts.map((part) =>
      "startedAt" in part
        ? { ...part, startedAt: new Date(part.startedAt), completedAt: toDate(part.completedAt) }
        : part,
    ),
  },
});

const toDate = (value: Date | null): Date | null => value && new Date(value);
