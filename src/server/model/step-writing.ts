import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StepPart, StepSink } from "./model-step";
import { addMetadata, type OpenPart, type PartList } from "./part-list";

type WritingPart = Extract<StepPart, { type: "text" | "reasoning" }>;
type WritingEvent = Extract<
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

/** What a model writes: its text, or its reasoning. Each kind has its own ids. */
export const createStepWriting = (list: PartList, sink: StepSink, newPart: () => WritingPart) => {
  const byId = new Map<string, OpenPart<WritingPart>>();

  const start = (id: string): OpenPart<WritingPart> => {
    const open = list.start(newPart());
    byId.set(id, open);
    return open;
  };

  return (event: WritingEvent): void => {
    if ("delta" in event) {
      const open = byId.get(event.id) ?? start(event.id);
      if (event.providerMetadata !== undefined) addMetadata(open.part, event.providerMetadata);
      if (event.delta === "") return;
      open.part.text += event.delta;
      sink.append(open.index, event.delta);
      return;
    }
    const starts = event.type === "text-start" || event.type === "reasoning-start";
    const open = starts ? start(event.id) : byId.get(event.id);
    if (open === undefined) return;
    addMetadata(open.part, event.providerMetadata);
    if (!starts) list.end(open);
  };
};
