import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StepPart, StepSink } from "@/server/model/model-step";
import { mergeMetadata, type OpenPart, type PartList } from "./part-list";

type TextualPart = Extract<StepPart, { type: "text" | "reasoning" }>;
type TextualEvent = Extract<
  LanguageModelV4StreamPart,
  {
    type:
      | "text-start"
      | "text-delta"
      | "text-end"
      | "reasoning-start"
      | "reasoning-delta"
      | "reasoning-end";
  }
>;

/** Assembles text or reasoning parts; each of the two has its own ids in the stream. */
export const createTextAssembler = (list: PartList, sink: StepSink, newPart: () => TextualPart) => {
  const byId = new Map<string, OpenPart<TextualPart>>();

  const start = (id: string): OpenPart<TextualPart> => {
    const open = list.start(newPart());
    byId.set(id, open);
    return open;
  };

  return (event: TextualEvent): void => {
    if ("delta" in event) {
      const open = byId.get(event.id) ?? start(event.id);
      if (event.providerMetadata !== undefined) mergeMetadata(open.part, event.providerMetadata);
      if (event.delta === "") return;
      open.part.text += event.delta;
      sink.append(open.index, event.delta);
      return;
    }
    const starts = event.type === "text-start" || event.type === "reasoning-start";
    const open = starts ? start(event.id) : byId.get(event.id);
    if (open === undefined) return;
    mergeMetadata(open.part, event.providerMetadata);
    if (!starts) list.end(open);
  };
};
