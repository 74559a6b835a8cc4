import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { StepPart, StepSink } from "./model-step";

/** A part that can still grow, and its place in the answer. */
export type OpenPart<T extends StepPart = StepPart> = { index: number; part: T; ended: boolean };

/** The parts of an answer in the order of their starts; the sink hears of every change. */
export const createPartList = (sink: StepSink, now: () => Date) => {
  const parts: StepPart[] = [];
  const opened: OpenPart[] = [];

  const end = (open: OpenPart): void => {
    if (open.ended) return;
    open.ended = true;
    if (open.part.type === "reasoning") open.part.completedAt = now();
    sink.end(open.index);
  };

  return {
    parts,
    start: <T extends StepPart>(part: T): OpenPart<T> => {
      const open = { index: parts.length, part, ended: false };
      parts.push(part);
      opened.push(open);
      sink.start(open.index, part);
      return open;
    },
    end,
    /** The answer is complete: what its provider left open ends here. */
    endAll: (): void => opened.forEach(end),
  };
};

export type PartList = ReturnType<typeof createPartList>;

/** Later metadata adds to earlier; a signature comes with the last piece of its part. */
export const addMetadata = (
  part: Exclude<StepPart, { type: "source" }>,
  metadata: SharedV4ProviderMetadata | undefined,
): void => {
  if (metadata === undefined) return;
  const merged: NonNullable<typeof part.providerMetadata> = { ...part.providerMetadata };
  for (const [provider, values] of Object.entries(metadata)) {
    merged[provider] = { ...merged[provider], ...values };
  }
  part.providerMetadata = merged;
};
