import { MAX_RESULT_BYTES } from "@/contract/limits";
import { BYTES_PER_TOKEN } from "@/lib/tokens";

/** The results of one step get at most half of the context. */
const CONTEXT_PART = 1 / 2;
/** A call gets the share of one among these, even if it is the only one: more steps follow. */
const MIN_SHARES = 4;
/** Below this, a result is of no use. */
const MIN_SHARE_BYTES = 2 * 1024;
/** Above this, a result costs more than a model makes of it. */
const MAX_SHARE_BYTES = 256 * 1024;

/**
 * Computes the model's share of each result of a step, in bytes.
 *
 * @param contextLimit of the model, in tokens; null when it is not known.
 * @param calls of the step.
 */
export const calculateResultShare = (contextLimit: number | null, calls: number): number => {
  if (contextLimit === null) return MAX_RESULT_BYTES;
  const bytes = contextLimit * BYTES_PER_TOKEN * CONTEXT_PART;
  const share = Math.floor(bytes / Math.max(MIN_SHARES, calls));
  return Math.min(Math.max(share, MIN_SHARE_BYTES), MAX_SHARE_BYTES);
};
