import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { createAnswerReader } from "./answer-reader";
import { isLastTry, type RefusableCall, refuseFault, TOO_MANY_MALFORMED } from "./malformed";
import { MAX_XML_CALLS } from "./tool-guide";
import { createShapeFinder } from "./xml-prompt";

type Part = LanguageModelV4StreamPart;

const TOO_MANY_CALLS = `Not run: an answer can have at most ${MAX_XML_CALLS} tool calls. This call and all after it were left out. Make them in your next answer.`;
/** The provider is at work, although nothing can be shown yet. */
const SIGN_OF_LIFE: Part = { type: "raw", rawValue: undefined };

/** Converts the parts of an answer in text to those of an answer with calls. */
export async function* convertParts(
  stream: ReadableStream<Part>,
  prompt: LanguageModelV4Prompt,
  tools: readonly LanguageModelV4FunctionTool[],
): AsyncGenerator<Part> {
  const parts: Part[] = [];
  let faults = 0;
  const texts = createTexts(parts);
  const calls = createCalls(parts);
  const reader = createAnswerReader(createShapeFinder(tools), {
    text: texts.add,
    startBlock: (toolName) => {
      texts.close();
      calls.start(toolName);
    },
    endBlock: (block) => {
      texts.close();
      if (block.fault) faults += 1;
      for (const call of refuseFault(block, tools)) calls.add(call);
    },
  });
  for await (const part of stream) {
    if (part.type === "text-delta") {
      reader.push(part.delta);
      if (parts.length === 0) parts.push(SIGN_OF_LIFE);
    } else if (part.type === "finish") {
      const isCut = reader.end();
      texts.end();
      const isGivenUp = faults > 0 && isLastTry(prompt);
      parts.push(toFinish(part, { isComplete: calls.hasAny() && !isCut, isGivenUp }));
    } else if (part.type !== "text-start" && part.type !== "text-end") {
      if (part.type === "reasoning-start" || part.type === "file") texts.close();
      parts.push(part);
    }
    yield* parts.splice(0);
  }
}

/** @param answer.isComplete whether it has calls, all of them whole: then it does not matter that it was cut after them. */
const toFinish = (
  part: Extract<Part, { type: "finish" }>,
  answer: { isComplete: boolean; isGivenUp: boolean },
): Part => {
  const { finishReason, providerMetadata } = part;
  const parley = { failure: TOO_MANY_MALFORMED };
  if (answer.isGivenUp) return { ...part, providerMetadata: { ...providerMetadata, parley } };
  if (!answer.isComplete || finishReason.unified !== "length") return part;
  return { ...part, finishReason: { ...finishReason, unified: "tool-calls" } };
};

/** Writes the texts between blocks as parts, without the white space around the blocks. */
const createTexts = (parts: Part[]) => {
  let count = 0;
  let isOpen = false;
  /** White space that belongs to the text only if more of it follows. */
  let space = "";
  const write = (delta: string): void => {
    if (!isOpen) parts.push({ type: "text-start", id: `text_${(count += 1)}` });
    isOpen = true;
    parts.push({ type: "text-delta", id: `text_${count}`, delta });
  };
  const close = (): void => {
    if (isOpen) parts.push({ type: "text-end", id: `text_${count}` });
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

const createCalls = (parts: Part[]) => {
  let count = 0;
  const createId = (): string => `call_${randomUUID().replaceAll("-", "")}`;
  let id = createId();
  return {
    hasAny: (): boolean => count > 0,
    /** Shows the name of the next call. */
    start: (toolName: string): void => {
      if (count <= MAX_XML_CALLS) parts.push({ type: "tool-input-start", id, toolName });
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
      parts.push(parley ? { ...call, providerMetadata: { parley } } : call);
      id = createId();
    },
  };
};
