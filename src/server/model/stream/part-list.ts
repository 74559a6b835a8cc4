import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import type { StepPart, StepSink } from "@/server/model/model-step";

/** A part of the answer with its index. It may change until it has ended. */
export type OpenPart<T extends StepPart = StepPart> = { index: number; part: T; isEnded: boolean };

/** Creates the list of an answer's parts, in the order in which they started. */
export const createPartList = (sink: StepSink, now: () => Date) => {
  const parts: StepPart[] = [];
  const opened: OpenPart[] = [];

  const end = (open: OpenPart): void => {
    if (open.isEnded) return;
    open.isEnded = true;
    if (open.part.type === "reasoning") open.part.completedAt = now();
    sink.end(open.index);
  };

  return {
    parts,
    opened,
    start: <T extends StepPart>(part: T): OpenPart<T> => {
      const open = { index: parts.length, part, isEnded: false };
      parts.push(part);
      opened.push(open);
      sink.start(open.index, part);
      return open;
    },
    end,
    /** Puts another part in the place of one that has not ended, whole. */
    replace: ({ index }: OpenPart, part: StepPart & { text: string }): void => {
      const open = { index, part, isEnded: false };
      parts[index] = part;
      opened[index] = open;
      sink.start(index, part);
      sink.append(index, part.text);
      end(open);
    },
  };
};

export type PartList = ReturnType<typeof createPartList>;

/**
 * Merges metadata into a part; for example, a signature arrives with the part's last delta. Metadata that
 * cannot be stored is left out.
 */
export const mergeMetadata = (
  part: Exclude<StepPart, { type: "source" }>,
  metadata: SharedV4ProviderMetadata | undefined,
): void => {
  if (metadata === undefined || validateJson(metadata, MAX_OUTPUT_DEPTH)) return;
  const merged = { ...part.providerMetadata };
  for (const [provider, values] of Object.entries(metadata as typeof merged)) {
    merged[provider] = { ...merged[provider], ...values };
  }
  part.providerMetadata = merged;
};
