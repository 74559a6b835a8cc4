import type { StepSink } from "@/server/model/model-step";

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
 * @param call must pass its sink to the model. Must not reject.
 */
export const yieldWhileIdle = async <Outcome>(
  slot: TurnSlot,
  sink: StepSink,
  call: (sink: StepSink) => Promise<Outcome>,
): Promise<Outcome> => {
  const timer = setTimeout(slot.yield, YIELD_AFTER_MS);
  const onActivity = (): void => {
    timer.refresh();
    slot.reclaim();
  };
  const outcome = await call({
    start: (index, part) => {
      onActivity();
      sink.start(index, part);
    },
    append: (index, text) => {
      onActivity();
      sink.append(index, text);
    },
    end: (index) => {
      onActivity();
      sink.end(index);
    },
  });
  clearTimeout(timer);
  slot.reclaim();
  return outcome;
};
