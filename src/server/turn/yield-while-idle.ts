import type { TurnSlot } from "./turn-deps";

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
