import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { createAnswerReader } from "./answer-reader";
import { isLastTry, type RefusableCall, refuseFault, TOO_MANY_MALFORMED } from "./malformed";
import { MAX_XML_CALLS } from "./tool-guide";
import { createShapeFinder } from "./xml-prompt";

type Part = LanguageModelV4StreamPart;
type AddPart = (part: Part) => void;

const TOO_MANY_CALLS = `Not run: an answer can have at most ${MAX_XML_CALLS} tool calls. This call and all after it were left out. Make them in your next answer.`;
/** The provider is at work, although nothing can be shown yet. */
const SIGN_OF_LIFE: Part = { type: "raw", rawValue: undefined };

/** Creates a function that converts the parts of an answer in text to those of an answer with calls. */
export const createXmlConverter = (
  { prompt }: Pick<LanguageModelV4CallOptions, "prompt">,
  tools: readonly LanguageModelV4FunctionTool[],
): ((part: Part) => Part[]) => {
  let converted: Part[] = [];
  let hasMalformed = false;
  const add = (part: Part): void => void converted.push(part);
  const texts = createTexts(add);
  const calls = createCalls(add);
  const reader = createAnswerReader(createShapeFinder(tools), {
    text: texts.add,
    startBlock: (toolName) => {
      texts.close();
      calls.start(toolName);
    },
    endBlock: (block) => {
      texts.close();
      hasMalformed ||= block.fault !== undefined;
      for (const call of refuseFault(block, tools)) calls.add(call);
    },
  });
  return (part) => {
    converted = [];
    if (part.type === "text-start" || part.type === "text-end") return [];
    if (part.type === "text-delta") {
      reader.push(part.delta);
      return converted.length > 0 ? converted : [SIGN_OF_LIFE];
    }
    if (part.type === "reasoning-start") texts.close();
    if (part.type !== "finish") return [...converted, part];
    const isCut = reader.end();
    texts.end();
    const { providerMetadata, finishReason } = part;
    if (hasMalformed && isLastTry(prompt)) {
      const parley = { failure: TOO_MANY_MALFORMED };
      return [...converted, { ...part, providerMetadata: { ...providerMetadata, parley } }];
    }
    // All calls are complete, also if the answer was cut after them.
    const isComplete = calls.hasAny() && !isCut && finishReason.unified === "length";
    const unified = isComplete ? "tool-calls" : finishReason.unified;
    return [...converted, { ...part, finishReason: { ...finishReason, unified } }];
  };
};

/** Writes the texts between blocks as parts, without the white space around the blocks. */
const createTexts = (add: AddPart) => {
  let count = 0;
  let isOpen = false;
  /** White space that belongs to the text only if more of it follows. */
  let space = "";
  const write = (delta: string): void => {
    if (!isOpen) add({ type: "text-start", id: `text_${(count += 1)}` });
    isOpen = true;
    add({ type: "text-delta", id: `text_${count}`, delta });
  };
  const close = (): void => {
    if (isOpen) add({ type: "text-end", id: `text_${count}` });
    isOpen = false;
    space = "";
  };
  return {
    add: (text: string): void => {
      const visible = text.trimEnd();
      if (visible !== "") write(space + visible);
      space = visible === "" ? space + text : text.slice(visible.length);
    },
    close,
    /** Closes the last text of the answer, which is kept as it is. */
    end: (): void => {
      if (isOpen && space !== "") write(space);
      close();
    },
  };
};

const createCalls = (add: AddPart) => {
  let count = 0;
  const createId = (): string => `call_${randomUUID().replaceAll("-", "")}`;
  let id = createId();
  return {
    hasAny: (): boolean => count > 0,
    /** Shows the name of the next call. */
    start: (toolName: string): void => {
      if (count <= MAX_XML_CALLS) add({ type: "tool-input-start", id, toolName });
    },
    add: ({ toolName, args = {}, refusal }: RefusableCall): void => {
      count += 1;
      // The first call over the limit is kept, to be refused.
      if (count > MAX_XML_CALLS + 1) return;
      const parley = refusal ?? (count > MAX_XML_CALLS ? { problem: TOO_MANY_CALLS } : undefined);
      // The person sees what the model wrote, where it is no JSON.
      const xml = refusal?.malformedXml ?? "";
      const input = xml === "" ? JSON.stringify(args) : xml;
      const call = { type: "tool-call", toolCallId: id, toolName, input } as const;
      add(parley ? { ...call, providerMetadata: { parley } } : call);
      id = createId();
    },
  };
};
