import type { StepSink } from "@/server/model/model-step";

/** The place that a turn has in its worker. */
export type TurnSlot = {
  /** Lets turns at other providers have the place. May be called more than once. */
  lend: () => void;
  /** Takes it back at once, also if there are too many turns then. May be called more than once. */
  takeBack: () => void;
};

/** Some models think for longer than this before their first token, and lend their slot meanwhile. */
export const MAX_SILENCE_MS = 5_000;

/**
 * Calls a model, and lends the slot of the turn while nothing comes from it.
 *
 * @param call its sink must be used in place of the given one. Must not reject.
 */
export const lendWhileSilent = async <Outcome>(
  { lend, takeBack }: TurnSlot,
  sink: StepSink,
  call: (sink: StepSink) => Promise<Outcome>,
): Promise<Outcome> => {
  const silence = setTimeout(lend, MAX_SILENCE_MS);
  const hear = (): void => {
    silence.refresh();
    takeBack();
  };
  const outcome = await call({
    start: (index, part) => {
      hear();
      sink.start(index, part);
    },
    append: (index, text) => {
      hear();
      sink.append(index, text);
    },
    end: (index) => {
      hear();
      sink.end(index);
    },
  });
  clearTimeout(silence);
  takeBack();
  return outcome;
};
