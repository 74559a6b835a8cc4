import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StepPart, StepSink } from "@/server/model/model-step";
import { RETURNED } from "@/server/model/return-fields";
import { createThoughtEndFinder } from "./lone-thought-end";
import { type AnswerImage, createImageReader, describeImage } from "./answer-images";
import { createPartList, mergeMetadata, type OpenPart, type PartList } from "./part-list";
import type { AnswerExtras } from "./repairs/answer-extras";
import { createToolCallAssembler, type ToolCallAssembler } from "./tool-call-assembler";

/** Parts of one answer, each of them a row: far more than models write. The rest of the answer is left out. */
const MAX_PARTS = 2_000;
/** Sources of one answer; people read no more. */
const MAX_SOURCES = 200;
/** Longest address that browsers follow reliably, in UTF-16 units. */
const MAX_URL_LENGTH = 8_192;
/** Longest title of a source, in UTF-16 units: a few lines. */
const MAX_TITLE_LENGTH = 500;

type AssemblerDeps = {
  sink: StepSink;
  now: () => Date;
  /** The prompt that is answered. */
  prompt: LanguageModelV4Prompt;
};

/** Assembles the parts of an answer from stream parts and reports each change to the sink. */
export const createStepAssembler = ({ sink, now, prompt }: AssemblerDeps) => {
  const list = createPartList(sink, now);
  const splitThought = createThoughtSplitter(list, now);
  const handleText = createTextAssembler(list, sink, {
    createPart: () => ({ type: "text", text: "" }),
    split: splitThought,
  });
  const handleReasoning = createTextAssembler(list, sink, {
    createPart: () => ({ type: "reasoning", text: "", startedAt: now(), completedAt: null }),
  });
  let toolCalls: ToolCallAssembler | undefined;
  /** Most answers have no calls, and prompts, whose calls are looked at, may be long. */
  const getToolCalls = (): ToolCallAssembler =>
    (toolCalls ??= createToolCallAssembler(list, { sink, now, prompt }));
  let readImage: ReturnType<typeof createImageReader> | undefined;
  const handleWholePart = (part: LanguageModelV4StreamPart): void => {
    if (part.type === "tool-call") getToolCalls().handleCall(part);
    else if (part.type === "tool-result") getToolCalls().handleResult(part);
    else if (part.type === "source" && part.sourceType === "url") addSource(list, part);
    else if (part.type === "file") addImage(list, sink, (readImage ??= createImageReader())(part));
  };

  return {
    parts: list.parts,
    /** Adds what a client has no stream parts for, at the end of the answer. */
    addExtras: ({ images, sources, reasoningDetails }: AnswerExtras): void => {
      for (const image of images) addImage(list, sink, image);
      for (const source of sources) addSource(list, source);
      const owner =
        list.parts.find((part) => part.type === "reasoning") ??
        list.parts.find((part) => part.type !== "source");
      if (reasoningDetails.length === 0 || !owner) return;
      mergeMetadata(owner, { [RETURNED]: { reasoning_details: reasoningDetails } });
    },
    /** Ends all parts after the last part of the stream. */
    endAll: (): void => {
      list.endAll();
      toolCalls?.markIncomplete();
    },
    /** Handles one stream part; ignores types that do not belong to an answer. */
    handlePart: (part: LanguageModelV4StreamPart): void => {
      if (list.parts.length >= MAX_PARTS) return;
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
          return getToolCalls().handleInput(part);
        default:
          return handleWholePart(part);
      }
    },
  };
};

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

/**
 * Creates a function that makes reasoning of a text once it turns out to have been a thought.
 *
 * @returns what follows the thought.
 */
const createThoughtSplitter = (list: PartList, now: () => Date) => {
  const startedAt = now();
  const findEnd = createThoughtEndFinder();
  return (open: OpenPart<TextualPart>, delta: string): string | undefined => {
    // Other thoughts, and calls, come first or not at all.
    if (open.index > 0) return undefined;
    const found = findEnd(delta, () => open.part.text);
    if (!found) return undefined;
    const { reasoning, text } = found;
    list.replace(open, { type: "reasoning", text: reasoning, startedAt, completedAt: null });
    return text;
  };
};

type TextOptions = {
  createPart: () => TextualPart;
  /** Ends a part of which it returns what belongs to the next one. */
  split?: (open: OpenPart<TextualPart>, delta: string) => string | undefined;
};

/** Assembles text or reasoning parts; each of the two has its own ids in the stream. */
const createTextAssembler = (
  list: PartList,
  sink: StepSink,
  { createPart, split }: TextOptions,
) => {
  const byId = new Map<string, OpenPart<TextualPart>>();

  const start = (id: string): OpenPart<TextualPart> => {
    const open = list.start(createPart());
    byId.set(id, open);
    return open;
  };

  /** A part that follows a thought, whose white space before it is layout. */
  let next: OpenPart<TextualPart> | undefined;
  const append = (id: string, open: OpenPart<TextualPart>, delta: string): void => {
    const text = open === next && open.part.text === "" ? delta.trimStart() : delta;
    if (text === "") return;
    open.part.text += text;
    sink.append(open.index, text);
    const rest = split?.(open, text);
    if (rest === undefined) return;
    next = start(id);
    append(id, next, rest);
  };

  return (event: TextualEvent): void => {
    if ("delta" in event) {
      const open = byId.get(event.id) ?? start(event.id);
      if (event.providerMetadata !== undefined) mergeMetadata(open.part, event.providerMetadata);
      return append(event.id, open, event.delta);
    }
    const starts = event.type === "text-start" || event.type === "reasoning-start";
    const open = starts ? start(event.id) : byId.get(event.id);
    if (open === undefined) return;
    mergeMetadata(open.part, event.providerMetadata);
    if (!starts) list.end(open);
  };
};

/** An image has a text when it is stored; in place of one that is not kept stands a text. */
const addImage = (list: PartList, sink: StepSink, image: AnswerImage | undefined): void => {
  if (!image) return;
  const isKept = "base64" in image;
  const open = list.start({ type: "text", text: "", ...(isKept && { image: image.base64 }) });
  if (!isKept) {
    open.part.text = describeImage(image);
    sink.append(open.index, open.part.text);
  }
  list.end(open);
};

const addSource = (
  list: PartList,
  { url, title }: { url: string; title?: string | undefined },
): void => {
  const count = list.parts.filter(({ type }) => type === "source").length;
  if (count >= MAX_SOURCES || url.length > MAX_URL_LENGTH || !URL.canParse(url)) return;
  const shown = title?.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const part: StepPart = { type: "source", url, ...(shown && { title: shown }) };
  list.end(list.start(part));
};
