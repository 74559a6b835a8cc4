import type { LanguageModelV4Source, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StepPart, StepSink } from "./model-step";
import { createPartList } from "./part-list";
import { createStepCalls } from "./step-calls";
import { createStepWriting } from "./step-writing";

/** Puts an answer together from its stream, and tells the sink of each piece as it comes. */
export const createStepParts = (sink: StepSink, now: () => Date) => {
  const list = createPartList(sink, now);
  const text = createStepWriting(list, sink, () => ({ type: "text", text: "" }));
  const reasoning = createStepWriting(list, sink, () => ({
    type: "reasoning",
    text: "",
    startedAt: now(),
    completedAt: null,
  }));
  const calls = createStepCalls(list, sink, now);

  const takeSource = (source: LanguageModelV4Source): void => {
    if (source.sourceType !== "url") return;
    const { url, title } = source;
    const part: StepPart = { type: "source", url, ...(title && { title }) };
    list.end(list.start(part));
  };

  const takeWhole = (part: LanguageModelV4StreamPart): void => {
    if (part.type === "tool-call") calls.call(part);
    else if (part.type === "tool-result") calls.result(part);
    else if (part.type === "source") takeSource(part);
  };

  return {
    parts: list.parts,
    endAll: list.endAll,
    /** Takes one part of the stream; kinds that are no part of an answer are passed over. */
    take: (part: LanguageModelV4StreamPart): void => {
      // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- the rest below
      switch (part.type) {
        case "text-delta":
        case "text-start":
        case "text-end":
          return text(part);
        case "reasoning-delta":
        case "reasoning-start":
        case "reasoning-end":
          return reasoning(part);
        case "tool-input-delta":
        case "tool-input-start":
        case "tool-input-end":
          return calls.input(part);
      }
      takeWhole(part);
    },
  };
};
