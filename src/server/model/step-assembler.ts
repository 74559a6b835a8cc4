import type { LanguageModelV4Source, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StepPart, StepSink } from "./model-step";
import { createPartList } from "./part-list";
import { createTextAssembler } from "./text-assembler";
import { createToolCallAssembler } from "./tool-call-assembler";

/** Assembles the parts of an answer from stream parts and reports each change to the sink. */
export const createStepAssembler = (sink: StepSink, now: () => Date) => {
  const list = createPartList(sink, now);
  const handleText = createTextAssembler(list, sink, () => ({ type: "text", text: "" }));
  const handleReasoning = createTextAssembler(list, sink, () => ({
    type: "reasoning",
    text: "",
    startedAt: now(),
    completedAt: null,
  }));
  const toolCalls = createToolCallAssembler(list, sink, now);

  const handleSource = (source: LanguageModelV4Source): void => {
    if (source.sourceType !== "url") return;
    const { url, title } = source;
    const part: StepPart = { type: "source", url, ...(title && { title }) };
    list.end(list.start(part));
  };

  const handleWholePart = (part: LanguageModelV4StreamPart): void => {
    if (part.type === "tool-call") toolCalls.handleCall(part);
    else if (part.type === "tool-result") toolCalls.handleResult(part);
    else if (part.type === "source") handleSource(part);
  };

  return {
    parts: list.parts,
    endAll: list.endAll,
    /** Handles one stream part; ignores types that do not belong to an answer. */
    handlePart: (part: LanguageModelV4StreamPart): void => {
      // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- others: handleWholePart
      switch (part.type) {
        case "text-delta":
        case "text-start":
        case "text-end":
          return handleText(part);
        case "reasoning-delta":
        case "reasoning-start":
        case "reasoning-end":
          return handleReasoning(part);
        case "tool-input-delta":
        case "tool-input-start":
        case "tool-input-end":
          return toolCalls.handleInput(part);
      }
      handleWholePart(part);
    },
  };
};
