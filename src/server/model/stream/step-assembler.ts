import type {
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
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
  const handleText = createTextAssembler(list, sink, now);
  let toolCalls: ToolCallAssembler | undefined;
  /** Most answers have no calls, and prompts, whose calls are looked at, may be long. */
  const getToolCalls = (): ToolCallAssembler =>
    (toolCalls ??= createToolCallAssembler(list, { sink, now, prompt }));
  let readImage: ReturnType<typeof createImageReader> | undefined;
  const handleWholePart = (part: LanguageModelV4StreamPart): void => {
    if (part.type === "tool-call") getToolCalls().handleCall(part);
    else if (part.type === "tool-result") getToolCalls().handleResult(part);
    else if (part.type === "source" && part.sourceType === "url") addSource(list, part);
    else if (part.type === "file") {
      readImage ??= createImageReader();
      addImage(list, sink, { image: readImage(part), metadata: part.providerMetadata });
    }
  };

  return {
    parts: list.parts,
    /** Adds what a client has no stream parts for, at the end of the answer. */
    addExtras: ({ images, sources, reasoningDetails }: AnswerExtras): void => {
      for (const image of images) addImage(list, sink, { image });
      for (const source of sources) addSource(list, source);
      const owner =
        list.parts.find((part) => part.type === "reasoning") ??
        list.parts.find((part) => part.type !== "source");
      if (reasoningDetails.length === 0 || !owner) return;
      mergeMetadata(owner, { [RETURNED]: { reasoning_details: reasoningDetails } });
    },
    /** Ends all parts after the last part of the stream. */
    endAll: (): void => {
      for (const open of list.opened) list.end(open);
      toolCalls?.markIncomplete();
    },
    /** Handles one stream part; ignores types that do not belong to an answer. */
    handlePart: (part: LanguageModelV4StreamPart): void => {
      if (list.parts.length >= MAX_PARTS) return;
      switch (part.type) {
        case "text-delta":
        case "text-start":
        case "text-end":
        case "reasoning-delta":
        case "reasoning-start":
        case "reasoning-end":
          return handleText(part);
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
type OpenTextual = OpenPart<TextualPart>;
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

/** Assembles the text and the reasoning; each of the two has its own ids in the stream. */
const createTextAssembler = (list: PartList, sink: StepSink, now: () => Date) => {
  const startedAt = now();
  const byId = { text: new Map<string, OpenTextual>(), reasoning: new Map<string, OpenTextual>() };
  const findEnd = createThoughtEndFinder();
  /** A part that follows a thought, whose white space before it is layout. */
  let next: OpenTextual | undefined;

  const start = (type: TextualPart["type"], id: string): OpenTextual => {
    const open = list.start<TextualPart>(
      type === "text"
        ? { type, text: "" }
        : { type, text: "", startedAt: now(), completedAt: null },
    );
    byId[type].set(id, open);
    return open;
  };
  const append = (id: string, open: OpenTextual, delta: string): void => {
    const { index, part } = open;
    const text = open === next && part.text === "" ? delta.trimStart() : delta;
    if (text === "") return;
    part.text += text;
    sink.append(index, text);
    // Other thoughts, and calls, come before a text that turns out to have been a thought, or not at all.
    const found = part.type === "text" && index === 0 && findEnd(text, () => part.text);
    if (!found) return;
    const { reasoning } = found;
    list.replace(open, { type: "reasoning", text: reasoning, startedAt, completedAt: null });
    next = start("text", id);
    append(id, next, found.text);
  };

  return (event: TextualEvent): void => {
    const type = event.type.startsWith("text") ? "text" : "reasoning";
    const isEnd = event.type === "text-end" || event.type === "reasoning-end";
    const known = event.type.endsWith("-start") ? undefined : byId[type].get(event.id);
    const open = known ?? (isEnd ? undefined : start(type, event.id));
    if (open === undefined) return;
    if (event.providerMetadata !== undefined) mergeMetadata(open.part, event.providerMetadata);
    if ("delta" in event) append(event.id, open, event.delta);
    else if (isEnd) list.end(open);
  };
};

type Metadata = SharedV4ProviderMetadata | undefined;

/** An image has a text when it is stored; in place of one that is not kept stands a text. */
const addImage = (
  list: PartList,
  sink: StepSink,
  { image, metadata }: { image: AnswerImage | undefined; metadata?: Metadata },
): void => {
  if (!image) return;
  const isKept = "base64" in image;
  const open = list.start({ type: "text", text: "", ...(isKept && { image: image.base64 }) });
  if (isKept) mergeMetadata(open.part, metadata);
  else {
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
