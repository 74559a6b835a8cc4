/** The place that a turn occupies in its worker. */
export type TurnSlot = {
  /** Frees the slot for turns at other providers. Idempotent. */
  yield: () => void;
  /** Occupies the slot again at once, even if the worker then exceeds its concurrency. Idempotent. */
  reclaim: () => void;
};

/** Below the timeouts of a call; a model that reasons for longer before its first token yields its slot meanwhile. */
export const YIELD_AFTER_MS = 5_000;

/**
 * Calls a model, and yields the slot of the turn while no part of the answer arrives.
 *
 * @param call must call `onActivity` for all that arrives. Must not reject.
 */
export const yieldWhileIdle = async <Outcome>(
  slot: TurnSlot,
  call: (onActivity: () => void) => Promise<Outcome>,
): Promise<Outcome> => {
  const timer = setTimeout(slot.yield, YIELD_AFTER_MS);
  const outcome = await call(() => {
    timer.refresh();
    slot.reclaim();
  });
  clearTimeout(timer);
  slot.reclaim();
  return outcome;
};
